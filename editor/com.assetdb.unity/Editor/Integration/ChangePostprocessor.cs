using UnityEditor;

namespace AssetDb.EditorIntegration
{
    /// <summary>Tells the daemon of every file that the editor imported, deleted or moved.</summary>
    internal sealed class ChangePostprocessor : AssetPostprocessor
    {
        private static void OnPostprocessAllAssets(
            string[] importedAssets, string[] deletedAssets, string[] movedAssets, string[] movedFromAssetPaths)
        {
            EditorSession.Changed(importedAssets, deletedAssets, movedAssets, movedFromAssetPaths);
        }
    }
}
