#if UNITY_6000_3_OR_NEWER
using UnityEditor;
using UnityEditor.Toolbars;

namespace AssetDb.EditorIntegration
{
    /// <summary>The daemon's state in the main toolbar; a click opens the settings.</summary>
    internal static class MainToolbarStatus
    {
        private const string Path = "assetdb/Status";

        [InitializeOnLoadMethod]
        private static void Register()
        {
            EditorSession.StateChanged += () => MainToolbar.Refresh(Path);
        }

        [MainToolbarElement(Path, defaultDockPosition = MainToolbarDockPosition.Right)]
        private static MainToolbarElement Create()
        {
            var content = new MainToolbarContent(EditorSession.State.Short(), EditorSession.State.Long());
            return new MainToolbarButton(content, () => SettingsService.OpenProjectSettings(SettingsPage.Path));
        }
    }
}
#endif
