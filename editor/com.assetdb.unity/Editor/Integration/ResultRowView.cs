using System;
using AssetDb.Protocol;
using UnityEditor;
using UnityEngine.UIElements;

namespace AssetDb.EditorIntegration
{
    /// <summary>One line of a <see cref="ResultsWindow"/>; the list uses it for other rows as it scrolls.</summary>
    internal sealed class ResultRowView : VisualElement
    {
        private const string Open = "\u25be";
        private const string Closed = "\u25b8";

        private readonly Label arrow = new Label();
        private readonly Image icon = new Image();
        private readonly Label label = new Label();
        private readonly Label detail = new Label();
        private ResultRow row;

        public ResultRowView(Action<ResultRow> toggle, Action<ResultRow> point, Action<ResultRow> open)
        {
            AddToClassList("assetdb-row");
            arrow.AddToClassList("assetdb-row__arrow");
            icon.AddToClassList("assetdb-row__icon");
            label.AddToClassList("assetdb-row__label");
            detail.AddToClassList("assetdb-row__detail");
            Add(arrow);
            Add(icon);
            Add(label);
            Add(detail);
            arrow.RegisterCallback<PointerDownEvent>(pressed =>
            {
                toggle(row);
                pressed.StopPropagation();
            });
            RegisterCallback<PointerDownEvent>(pressed =>
            {
                if (pressed.clickCount == 2)
                {
                    open(row);
                }
                else
                {
                    point(row);
                }
            });
        }

        public void Bind(ResultRow bound, float indent)
        {
            row = bound;
            style.paddingLeft = bound.Depth * indent;
            arrow.text = !bound.HasChildren ? "" : bound.IsExpanded ? Open : Closed;
            icon.image = bound.Depth == 0 ? AssetDatabase.GetCachedIcon(bound.Node.Path) : null;
            icon.EnableInClassList("assetdb-row__icon--none", icon.image == null);
            label.text = bound.Node.Label;
            label.EnableInClassList("assetdb-row__label--file", bound.Depth == 0);
            detail.text = bound.Node.Detail;
            tooltip = bound.Node.Detail.Length > 0 ? bound.Node.Label + "\n" + bound.Node.Detail : bound.Node.Label;
        }
    }
}
