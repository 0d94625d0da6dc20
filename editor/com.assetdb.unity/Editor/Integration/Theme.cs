using UnityEditor;
using UnityEngine.UIElements;

namespace AssetDb.EditorIntegration
{
    /// <summary>The style sheet of the package, for the editor's light theme and its dark one.</summary>
    internal static class Theme
    {
        private const string SheetPath = "Packages/com.assetdb.unity/Editor/Integration/Styles/AssetDb.uss";

        public static void Apply(VisualElement root)
        {
            var sheet = AssetDatabase.LoadAssetAtPath<StyleSheet>(SheetPath);
            if (sheet != null) // not imported yet: plain, but usable
            {
                root.styleSheets.Add(sheet);
            }
            root.AddToClassList(EditorGUIUtility.isProSkin ? "assetdb-dark" : "assetdb-light");
        }
    }
}
