using UnityEditor;
using UnityEditor.Overlays;
using UnityEditor.Toolbars;
using UnityEngine.UIElements;

namespace AssetDb.EditorIntegration
{
    /// <summary>The daemon's state in the toolbars of the Scene view; a click opens the settings.</summary>
    /// <remarks>The main toolbar can be extended from Unity 6.3 on only; MainToolbarStatus does that.</remarks>
    [Overlay(typeof(SceneView), OverlayId, "assetdb", true)]
    internal sealed class StatusToolbar : ToolbarOverlay
    {
        private const string OverlayId = "assetdb-status";

        public StatusToolbar() : base(StatusButton.Id)
        {
        }
    }

    /// <summary>The button of <see cref="StatusToolbar"/>.</summary>
    [EditorToolbarElement(Id, typeof(SceneView))]
    internal sealed class StatusButton : EditorToolbarButton
    {
        public const string Id = "AssetDb/Status";

        public StatusButton()
        {
            clicked += () => SettingsService.OpenProjectSettings(SettingsPage.Path);
            RegisterCallback<AttachToPanelEvent>(attached =>
            {
                EditorSession.StateChanged += Show;
                Show();
            });
            RegisterCallback<DetachFromPanelEvent>(detached => EditorSession.StateChanged -= Show);
        }

        private void Show()
        {
            text = EditorSession.State.Short();
            tooltip = EditorSession.State.Long();
        }
    }
}
