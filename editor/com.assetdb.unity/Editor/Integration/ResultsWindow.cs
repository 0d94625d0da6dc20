using System;
using System.Collections.Generic;
using AssetDb.Connection;
using AssetDb.Protocol;
using UnityEditor;
using UnityEditor.UIElements;
using UnityEngine;
using UnityEngine.UIElements;

namespace AssetDb.EditorIntegration
{
    /// <summary>What a window shows.</summary>
    internal sealed class Results
    {
        public Results(List<ResultNode> nodes, string note)
        {
            Nodes = nodes;
            Note = note;
        }

        public List<ResultNode> Nodes { get; }

        /// <summary>What is to be said beside them, or <c>""</c>.</summary>
        public string Note { get; }
    }

    /// <summary>The answer to a question as a tree: file, object, property. It can be filtered; a double-click leads there.</summary>
    internal sealed class ResultsWindow : EditorWindow
    {
        private const float RowHeight = 20;
        private const float Indent = 14;

        [SerializeField]
        private List<SavedNode> saved = new List<SavedNode>();

        [SerializeField]
        private string savedText = "";

        private ResultTree tree = new ResultTree(new List<ResultNode>());
        private Question question;
        private string empty = "";
        private Label message;
        private ListView list;
        private ToolbarSearchField search;

        /// <summary>Ask something and show the answer in the window of that kind.</summary>
        /// <param name="title">Of the window: one for each kind of question.</param>
        /// <param name="asked">What is asked for, as people call it.</param>
        /// <param name="empty">What to say where nothing is found.</param>
        /// <param name="ask">Asks it, off the main thread.</param>
        public static void Ask(string title, string asked, string empty, Func<Question, Results> ask)
        {
            ResultsWindow window = Of(title);
            window.Begin(asked, empty, ask);
        }

        /// <summary>Show a message in place of an answer.</summary>
        public static void Say(string title, string text)
        {
            ResultsWindow window = Of(title);
            window.question?.Dispose();
            window.Show(new List<ResultNode>(), text);
        }

        /// <summary>Called by the editor: builds the window, anew after each reload of the scripts.</summary>
        public void CreateGUI()
        {
            Theme.Apply(rootVisualElement);
            var toolbar = new Toolbar();
            search = new ToolbarSearchField();
            search.AddToClassList("assetdb-results__search");
            search.RegisterValueChangedCallback(change =>
            {
                tree.Filter = change.newValue;
                Refresh();
            });
            toolbar.Add(search);
            rootVisualElement.Add(toolbar);
            tree = new ResultTree(SavedNode.Restored(saved));
            message = new Label(
                savedText.Length > 0 ? savedText : "Ask from the context menu of the Project or Hierarchy window.");
            message.AddToClassList("assetdb-results__message");
            rootVisualElement.Add(message);
            list = new ListView
            {
                fixedItemHeight = RowHeight,
                selectionType = SelectionType.Single,
                makeItem = () => new ResultRowView(Toggle, row => ObjectOpener.Point(row.Node), Open),
                bindItem = (element, index) => ((ResultRowView)element).Bind(tree.Rows[index], Indent),
            };
            list.AddToClassList("assetdb-results__list");
            list.RegisterCallback<KeyDownEvent>(OnKey, TrickleDown.TrickleDown);
            rootVisualElement.Add(list);
            Refresh();
        }

        private static ResultsWindow Of(string title)
        {
            foreach (ResultsWindow open in Resources.FindObjectsOfTypeAll<ResultsWindow>())
            {
                if (open.titleContent.text == title)
                {
                    open.Show();
                    open.Focus();
                    return open;
                }
            }
            ResultsWindow made = CreateInstance<ResultsWindow>();
            made.titleContent = new GUIContent(title);
            made.minSize = new Vector2(320, 160);
            made.Show();
            return made;
        }

        private void OnDisable()
        {
            if (question != null)
            {
                savedText = "The question was ended by a reload of the scripts: ask again.";
            }
            question?.Dispose();
        }

        private void Begin(string asked, string sayIfEmpty, Func<Question, Results> ask)
        {
            question?.Dispose();
            empty = sayIfEmpty;
            Show(new List<ResultNode>(), $"Looking for {asked} ...");
            question = EditorSession.Ask(
                ask,
                answer => End(answer.Nodes, Join(asked, answer)),
                error => End(new List<ResultNode>(), error.Message));
        }

        private void End(List<ResultNode> nodes, string text)
        {
            question = null;
            Show(nodes, text);
        }

        private string Join(string asked, Results answer)
        {
            string found = answer.Nodes.Count == 0 ? empty : $"{asked}: {answer.Nodes.Count:N0}";
            return answer.Note.Length > 0 ? $"{found} ({answer.Note})" : found;
        }

        private void Show(List<ResultNode> nodes, string text)
        {
            saved = SavedNode.Of(nodes);
            savedText = text;
            tree = new ResultTree(nodes) { Filter = search == null ? "" : search.value };
            if (message != null)
            {
                message.text = text;
            }
            Refresh();
        }

        private void Refresh()
        {
            if (list != null)
            {
                list.itemsSource = new List<ResultRow>(tree.Rows);
                list.Rebuild();
            }
        }

        private void Toggle(ResultRow row)
        {
            if (row.HasChildren)
            {
                tree.SetExpanded(row.Node, !row.IsExpanded);
                Refresh();
            }
        }

        private void Open(ResultRow row)
        {
            if (row.Node.Path.Length > 0)
            {
                ObjectOpener.Open(row.Node);
            }
            else
            {
                Toggle(row);
            }
        }

        private void OnKey(KeyDownEvent pressed)
        {
            if (pressed.keyCode == KeyCode.C && pressed.actionKey)
            {
                EditorGUIUtility.systemCopyBuffer = tree.AsText();
                pressed.StopPropagation();
                return;
            }
            int at = list.selectedIndex;
            if (at < 0 || at >= tree.Rows.Count)
            {
                return;
            }
            ResultRow row = tree.Rows[at];
            if (pressed.keyCode == KeyCode.Return || pressed.keyCode == KeyCode.KeypadEnter)
            {
                Open(row);
            }
            else if (row.HasChildren && pressed.keyCode == (row.IsExpanded ? KeyCode.LeftArrow : KeyCode.RightArrow))
            {
                Toggle(row);
                list.selectedIndex = at;
            }
            else
            {
                return;
            }
            pressed.StopPropagation();
        }
    }
}
