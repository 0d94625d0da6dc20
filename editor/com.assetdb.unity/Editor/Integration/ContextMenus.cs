using System;
using System.Collections.Generic;
using System.IO;
using AssetDb.Connection;
using AssetDb.Protocol;
using UnityEditor;
using UnityEngine;
using Object = UnityEngine.Object;

namespace AssetDb.EditorIntegration
{
    /// <summary>What the context menus of the Project window, the Hierarchy and components offer.</summary>
    internal static class ContextMenus
    {
        private const string UsagesTitle = "Usages";
        private const string MissingTitle = "Missing References";
        private const string TraceTitle = "Why in the Build";
        private const int ProjectPriority = 30; // behind Find References In Scene
        private const int HierarchyPriority = 49; // GameObject items up to 49 are in the Hierarchy's own menu

        [MenuItem("Assets/Find usages (assetdb)", false, ProjectPriority)]
        private static void FindAssetUsages()
        {
            List<Subject> subjects = SelectedAssets();
            subjects.RemoveAll(subject => subject == null);
            if (subjects.Count > 1)
            {
                FindUsagesOfEach(subjects);
            }
            else
            {
                FindUsages(Subjects.OfAsset(Selection.activeObject));
            }
        }

        [MenuItem("Assets/Missing references (assetdb)", false, ProjectPriority)]
        private static void FindMissingInAssets()
        {
            var subjects = new List<Subject>();
            foreach (Object selected in Selection.objects)
            {
                string path = AssetDatabase.GetAssetPath(selected);
                if (path.Length > 0 && File.Exists(Path.Combine(EditorSession.Root, path)))
                {
                    subjects.Add(new Subject(selected.name, "", 0, path, true, new long[0]));
                }
            }
            FindMissing(subjects);
        }

        [MenuItem("Assets/Why is this in the build (assetdb)", false, ProjectPriority)]
        private static void TraceAsset() => Trace(Subjects.OfAsset(Selection.activeObject));

        [MenuItem("Assets/Copy GUID (assetdb)", false, ProjectPriority)]
        private static void CopyGuids() => Copy(SelectedAssets(), subject => subject.Guid);

        [MenuItem("Assets/Copy reference (assetdb)", false, ProjectPriority)]
        private static void CopyReferences() => Copy(SelectedAssets(), ReferenceOf);

        [MenuItem("Assets/Find usages (assetdb)", true)]
        [MenuItem("Assets/Missing references (assetdb)", true)]
        [MenuItem("Assets/Why is this in the build (assetdb)", true)]
        [MenuItem("Assets/Copy GUID (assetdb)", true)]
        [MenuItem("Assets/Copy reference (assetdb)", true)]
        private static bool IsAssetSelected() => Subjects.OfAsset(Selection.activeObject) != null;

        [MenuItem("GameObject/Find usages (assetdb)", false, HierarchyPriority)]
        private static void FindGameObjectUsages(MenuCommand command)
        {
            if (IsFirst(command))
            {
                FindUsages(Subjects.OfGameObject(Selection.activeGameObject));
            }
        }

        [MenuItem("GameObject/Missing references (assetdb)", false, HierarchyPriority)]
        private static void FindMissingInGameObjects(MenuCommand command)
        {
            if (!IsFirst(command))
            {
                return;
            }
            var subjects = new List<Subject>();
            foreach (GameObject selected in Selection.gameObjects)
            {
                Subject subject = Subjects.OfHierarchy(selected);
                if (subject == null)
                {
                    ResultsWindow.Say(MissingTitle, "Cancelled.");
                    return;
                }
                subjects.Add(subject);
            }
            FindMissing(subjects);
        }

        [MenuItem("GameObject/Why is this in the build (assetdb)", false, HierarchyPriority)]
        private static void TraceGameObject(MenuCommand command)
        {
            if (IsFirst(command))
            {
                Trace(Subjects.Identity(Selection.activeGameObject));
            }
        }

        [MenuItem("GameObject/Copy GUID (assetdb)", false, HierarchyPriority)]
        private static void CopyGameObjectGuids(MenuCommand command)
        {
            if (IsFirst(command))
            {
                Copy(SelectedGameObjects(), subject => subject.Guid);
            }
        }

        [MenuItem("GameObject/Copy reference (assetdb)", false, HierarchyPriority)]
        private static void CopyGameObjectReferences(MenuCommand command)
        {
            if (IsFirst(command))
            {
                Copy(SelectedGameObjects(), ReferenceOf);
            }
        }

        [MenuItem("GameObject/Find usages (assetdb)", true)]
        [MenuItem("GameObject/Missing references (assetdb)", true)]
        [MenuItem("GameObject/Why is this in the build (assetdb)", true)]
        [MenuItem("GameObject/Copy GUID (assetdb)", true)]
        [MenuItem("GameObject/Copy reference (assetdb)", true)]
        private static bool IsGameObjectSelected() => Selection.activeGameObject != null;

        [MenuItem("CONTEXT/Component/Find usages (assetdb)")]
        private static void FindComponentUsages(MenuCommand command)
        {
            FindUsages(Subjects.OfComponent((Component)command.context));
        }

        /// <summary>Whether this is the first of the calls that the editor makes, one for each selected GameObject.</summary>
        private static bool IsFirst(MenuCommand command)
        {
            return command.context == null || command.context == Selection.gameObjects[0];
        }

        /// <summary>Show who uses a subject; null is none.</summary>
        public static void FindUsages(Subject subject)
        {
            if (subject == null || (subject.Guid.Length == 0 && subject.Path.Length == 0))
            {
                ResultsWindow.Say(UsagesTitle, "Its scene has not been saved yet, so no file refers to it.");
                return;
            }
            string root = EditorSession.Root;
            string ownGuid = AssetDatabase.AssetPathToGUID(subject.Path);
            ResultsWindow.Ask(
                UsagesTitle,
                $"usages of {subject.Label}",
                $"Nothing refers to {subject.Label}.",
                ask => new Results(ProjectQuestions.Usages(ask, root, subject, ownGuid, out string note), note));
        }

        private static void FindUsagesOfEach(List<Subject> subjects)
        {
            string root = EditorSession.Root;
            List<string> guids = subjects.ConvertAll(subject => AssetDatabase.AssetPathToGUID(subject.Path));
            ResultsWindow.Ask(
                UsagesTitle,
                $"usages of {subjects.Count} assets",
                $"Nothing refers to these {subjects.Count} assets.",
                ask =>
                {
                    var used = new List<ResultNode>();
                    string said = "";
                    for (int at = 0; at < subjects.Count; at++)
                    {
                        List<ResultNode> users =
                            ProjectQuestions.Usages(ask, root, subjects[at], guids[at], out string note);
                        said = note.Length > 0 ? note : said;
                        if (users.Count > 0)
                        {
                            var asset = new ResultNode(subjects[at].Label, users.Count.ToString("N0"), subjects[at].Path);
                            users.ForEach(user => asset.Add(user));
                            used.Add(asset);
                        }
                    }
                    return new Results(used, said);
                });
        }

        private static void FindMissing(List<Subject> subjects)
        {
            var guidOf = new Dictionary<string, string>(StringComparer.Ordinal);
            subjects.RemoveAll(subject => subject.Path.Length == 0);
            foreach (Subject subject in subjects)
            {
                guidOf[subject.Path] = AssetDatabase.AssetPathToGUID(subject.Path);
            }
            if (subjects.Count == 0)
            {
                ResultsWindow.Say(MissingTitle, "Select files, or GameObjects of a scene that has been saved.");
                return;
            }
            string root = EditorSession.Root;
            Func<Executable> executable = EditorSession.FindExecutable();
            ResultsWindow.Ask(
                MissingTitle,
                "missing references",
                "No reference is missing.",
                ask => new Results(
                    ProjectQuestions.Missing(ask, root, subjects, guidOf, executable, out string note), note));
        }

        private static void Trace(Subject subject)
        {
            if (subject == null)
            {
                ResultsWindow.Say(TraceTitle, "Its scene has not been saved yet, so no build has it.");
                return;
            }
            IReadOnlyList<string> builds = TraceQuestion.Folders(UserPreferences.BuildsOrTeams, EditorSession.Root);
            if (builds.Count == 0)
            {
                ResultsWindow.Say(TraceTitle, TeamSettings.Problem.Length > 0 ? TeamSettings.Problem : TraceQuestion.NoBuilds);
                return;
            }
            ResultsWindow.Ask(
                TraceTitle,
                $"why {subject.Label} is in the build",
                $"No build has {subject.Label}.",
                ask => new Results(ProjectQuestions.Trace(ask, subject, builds, out string note), note));
        }

        private static List<Subject> SelectedAssets()
        {
            var subjects = new List<Subject>();
            foreach (Object selected in Selection.objects)
            {
                subjects.Add(Subjects.OfAsset(selected));
            }
            return subjects;
        }

        private static List<Subject> SelectedGameObjects()
        {
            var subjects = new List<Subject>();
            foreach (GameObject selected in Selection.gameObjects)
            {
                subjects.Add(Subjects.Identity(selected));
            }
            return subjects;
        }

        private static void Copy(List<Subject> subjects, Func<Subject, string> text)
        {
            var lines = new List<string>();
            foreach (Subject subject in subjects)
            {
                if (subject != null)
                {
                    lines.Add(text(subject));
                }
            }
            if (lines.Count > 0) // else what was copied before stays
            {
                EditorGUIUtility.systemCopyBuffer = string.Join("\n", lines.ToArray());
            }
        }

        private static string ReferenceOf(Subject subject)
        {
            string meta = Path.Combine(EditorSession.Root, subject.Path + ".meta");
            return ReferenceText.Of(subject.Guid, subject.FileId, File.Exists(meta) ? File.ReadAllText(meta) : "");
        }
    }
}
