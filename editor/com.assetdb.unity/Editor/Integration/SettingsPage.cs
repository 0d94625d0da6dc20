using System.Collections.Generic;
using AssetDb.Protocol;
using UnityEditor;
using UnityEngine.UIElements;

namespace AssetDb.EditorIntegration
{
    /// <summary>Project Settings > assetdb.</summary>
    internal sealed class SettingsPage : SettingsProvider
    {
        public const string Path = "Project/assetdb";

        private Label state;

        private SettingsPage() : base(Path, SettingsScope.Project, new[] { "assetdb", "daemon", "GUID", "usages" })
        {
            label = "assetdb";
        }

        public override void OnActivate(string searchContext, VisualElement rootElement)
        {
            Theme.Apply(rootElement);
            rootElement.AddToClassList("assetdb-settings");
            var title = new Label("assetdb");
            title.AddToClassList("assetdb-settings__title");
            rootElement.Add(title);
            rootElement.Add(new Label("Kept for you on this machine, but for what is the team's.") { name = "where" });

            var executable = new TextField("Path of assetdb") { isDelayed = true, value = UserPreferences.Executable };
            executable.tooltip = "Absolute path of the assetdb command. Empty: the one on PATH or in ~/.local/bin.";
            executable.RegisterValueChangedCallback(change => UserPreferences.Executable = change.newValue.Trim());
            rootElement.Add(executable);

            var starts = new Toggle("Start daemon with the editor") { value = UserPreferences.StartsDaemon };
            starts.tooltip = "Start `assetdb watch` when this project is opened; it ends half an hour after the editor.";
            starts.RegisterValueChangedCallback(change => UserPreferences.StartsDaemon = change.newValue);
            rootElement.Add(starts);

            var builds = new TextField("Builds") { isDelayed = true, value = UserPreferences.Builds };
            builds.tooltip = "Where \"Why is this in the build\" looks: a player's _Data folder, folders of bundles, separated by"
                + " semicolons. Relative ones begin at the project. Together they are one build.";
            builds.RegisterValueChangedCallback(change => UserPreferences.Builds = change.newValue);
            rootElement.Add(builds);

            var team = new TextField("Builds of the team") { isDelayed = true, name = "team" };
            team.value = string.Join(";", new List<string>(TeamSettings.Read().Builds).ToArray());
            team.tooltip = "Where to look if you have named no builds yourself: folders inside the project. Kept in "
                + TeamDefaults.FileName + ", which you can commit.";
            var problem = new Label(TeamSettings.Problem) { name = "team-problem" };
            team.RegisterValueChangedCallback(change =>
            {
                TeamSettings.WriteBuilds(change.newValue);
                problem.text = TeamSettings.Problem;
            });
            rootElement.Add(team);
            rootElement.Add(problem);

            state = new Label();
            state.AddToClassList("assetdb-settings__state");
            rootElement.Add(state);
            var buttons = new VisualElement();
            buttons.AddToClassList("assetdb-settings__buttons");
            buttons.Add(new Button(EditorSession.StartDaemon) { text = "Start daemon" });
            buttons.Add(new Button(EditorSession.StopDaemon) { text = "Stop daemon" });
            rootElement.Add(buttons);
            EditorSession.StateChanged += ShowState;
            ShowState();
        }

        public override void OnDeactivate()
        {
            EditorSession.StateChanged -= ShowState;
            state = null;
        }

        [SettingsProvider]
        private static SettingsProvider Create() => new SettingsPage();

        private void ShowState()
        {
            string more = EditorSession.IsCommandRunning ? "one moment ..." : EditorSession.Problem;
            state.text = more.Length > 0 ? EditorSession.State.Long() + "\n" + more : EditorSession.State.Long();
        }
    }
}
