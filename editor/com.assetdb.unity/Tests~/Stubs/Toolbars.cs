// The part of the editor's toolbars that the package uses; see UnityEngine.cs.
using System;

namespace UnityEditor.Overlays
{
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class OverlayAttribute : Attribute
    {
        public OverlayAttribute(Type editorWindowType, string id, string displayName, bool defaultDisplay = false)
        {
            this.editorWindowType = editorWindowType;
            this.id = id;
            this.displayName = displayName;
            this.defaultDisplay = defaultDisplay;
        }

        public Type editorWindowType { get; }

        public string id { get; }

        public string displayName { get; }

        public bool defaultDisplay { get; }
    }

    public abstract class Overlay
    {
    }

    public abstract class ToolbarOverlay : Overlay
    {
        protected ToolbarOverlay(params string[] toolbarElementIds)
        {
            StubElementIds = toolbarElementIds;
        }

        public string[] StubElementIds { get; }
    }
}

namespace UnityEditor.Toolbars
{
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class EditorToolbarElementAttribute : Attribute
    {
        public EditorToolbarElementAttribute(string id, params Type[] targetWindows)
        {
            this.id = id;
            this.targetWindows = targetWindows;
        }

        public string id { get; }

        public Type[] targetWindows { get; }
    }

    public class EditorToolbarButton : UnityEditor.UIElements.ToolbarButton
    {
    }

#if UNITY_6000_3_OR_NEWER
    public enum MainToolbarDockPosition
    {
        Left,
        Middle,
        Right,
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class MainToolbarElementAttribute : Attribute
    {
        public MainToolbarElementAttribute(string path)
        {
            this.path = path;
        }

        public string path { get; }

        public MainToolbarDockPosition defaultDockPosition { get; set; }
    }

    public struct MainToolbarContent
    {
        public MainToolbarContent(string text, string tooltip)
        {
            this.text = text;
            this.tooltip = tooltip;
        }

        public string text { get; }

        public string tooltip { get; }
    }

    public abstract class MainToolbarElement
    {
    }

    public class MainToolbarButton : MainToolbarElement
    {
        public MainToolbarButton(MainToolbarContent content, Action action)
        {
            StubAction = action;
        }

        public Action StubAction { get; }
    }

    public static class MainToolbar
    {
        public static void Refresh(string path)
        {
        }
    }
#endif
}
