using AssetDb.Connection;
using AssetDb.Protocol;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace AssetDb.EditorIntegration
{
    /// <summary>The number of files that use an asset, in the header of its Inspector, while a daemon answers.</summary>
    [InitializeOnLoad]
    internal static class UsageHeader
    {
        private static string shownPath = "";
        private static int shownChanges;
        private static string text = "";
        private static Question question;

        static UsageHeader()
        {
            Editor.finishedDefaultHeaderGUI += Draw;
        }

        private static void Draw(Editor editor)
        {
            string path = editor.targets.Length == 1 && EditorSession.State.IsRunning ? PathOf(editor.target) : "";
            if (path.Length == 0)
            {
                return;
            }
            // Controls must be the same from the layout to the events behind it.
            if (Event.current.type == EventType.Layout)
            {
                if (path != shownPath)
                {
                    text = "";
                    question?.Dispose();
                    question = null;
                }
                if (question == null && (path != shownPath || shownChanges != EditorSession.Changes))
                {
                    Ask(path, editor);
                }
            }
            if (text.Length > 0 && GUILayout.Button(text, EditorStyles.miniLabel))
            {
                ContextMenus.FindUsages(Subjects.OfAsset(AssetDatabase.LoadMainAssetAtPath(path)));
            }
        }

        private static void Ask(string path, Editor editor)
        {
            shownPath = path;
            shownChanges = EditorSession.Changes;
            string guid = AssetDatabase.AssetPathToGUID(path);
            question = EditorSession.Ask(
                ask => UsagesAnswer.Read(ask.Call("usages", new JsonWriter().Text("query", guid))),
                answer => End(answer.Reason.Length > 0 ? "" : Said(answer), editor),
                error => End("", editor));
        }

        private static void End(string said, Editor editor)
        {
            question = null;
            text = said;
            if (editor != null)
            {
                editor.Repaint();
            }
        }

        private static string Said(UsagesAnswer answer)
        {
            int count = answer.Files.Count;
            string files = count == 0 ? "no file uses it" : count == 1 ? "1 file uses it" : $"{count:N0} files use it";
            return answer.UnreadFiles > 0 ? $"assetdb: {files}, {answer.UnreadFiles:N0} not read" : "assetdb: " + files;
        }

        /// <summary>Return the asset whose Inspector begins here, <c>""</c> for none.</summary>
        private static string PathOf(Object target)
        {
            if (target is AssetImporter importer)
            {
                return importer.assetPath;
            }
            return target != null && EditorUtility.IsPersistent(target) && AssetDatabase.IsMainAsset(target)
                ? AssetDatabase.GetAssetPath(target)
                : "";
        }
    }
}
