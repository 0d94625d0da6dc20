// The part of UI Toolkit that the package uses; see UnityEngine.cs.
using System;
using System.Collections;
using System.Collections.Generic;

namespace UnityEngine.UIElements
{
    public enum TrickleDown
    {
        NoTrickleDown,
        TrickleDown,
    }

    public enum SelectionType
    {
        None,
        Single,
        Multiple,
    }

    public delegate void EventCallback<in TEventType>(TEventType evt);

    public abstract class EventBase
    {
        public bool StubIsStopped { get; private set; }

        public void StopPropagation() => StubIsStopped = true;
    }

    public class PointerDownEvent : EventBase
    {
        public int clickCount { get; set; }
    }

    public class KeyDownEvent : EventBase
    {
        public KeyCode keyCode { get; set; }

        /// <summary>Control, on a Mac Command; since 2019.1: ScriptReference/UIElements.KeyboardEventBase_1-actionKey.html.</summary>
        public bool actionKey { get; set; }
    }

    public class AttachToPanelEvent : EventBase
    {
    }

    public class DetachFromPanelEvent : EventBase
    {
    }

    public class ChangeEvent<T> : EventBase
    {
        public T previousValue { get; set; }

        public T newValue { get; set; }
    }

    public struct StyleLength
    {
        public float StubValue { get; private set; }

        public static implicit operator StyleLength(float value) => new StyleLength { StubValue = value };
    }

    public interface IStyle
    {
        StyleLength paddingLeft { get; set; }
    }

    public class StyleSheet : ScriptableObject
    {
    }

    public struct VisualElementStyleSheetSet
    {
        public void Add(StyleSheet styleSheet)
        {
        }
    }

    public class VisualElement
    {
        private readonly List<KeyValuePair<Type, Delegate>> callbacks = new List<KeyValuePair<Type, Delegate>>();
        private readonly StubStyle ownStyle = new StubStyle();

        public List<VisualElement> StubChildren { get; } = new List<VisualElement>();

        public int childCount => StubChildren.Count;

        public HashSet<string> StubClasses { get; } = new HashSet<string>();

        public string name { get; set; }

        public string tooltip { get; set; }

        public IStyle style => ownStyle;

        public VisualElementStyleSheetSet styleSheets => new VisualElementStyleSheetSet();

        public void Add(VisualElement child) => StubChildren.Add(child);

        public void AddToClassList(string className) => StubClasses.Add(className);

        public void EnableInClassList(string className, bool enable)
        {
            if (enable)
            {
                StubClasses.Add(className);
            }
            else
            {
                StubClasses.Remove(className);
            }
        }

        public void RegisterCallback<TEventType>(
            EventCallback<TEventType> callback, TrickleDown useTrickleDown = TrickleDown.NoTrickleDown)
            where TEventType : EventBase
        {
            callbacks.Add(new KeyValuePair<Type, Delegate>(typeof(TEventType), callback));
        }

        public void StubSend<TEventType>(TEventType sent) where TEventType : EventBase
        {
            foreach (KeyValuePair<Type, Delegate> callback in callbacks)
            {
                if (callback.Key == typeof(TEventType))
                {
                    ((EventCallback<TEventType>)callback.Value)(sent);
                }
            }
        }

        private sealed class StubStyle : IStyle
        {
            public StyleLength paddingLeft { get; set; }
        }
    }

    public class TextElement : VisualElement
    {
        public virtual string text { get; set; } = "";
    }

    public class Image : VisualElement
    {
        public Texture image { get; set; }
    }

    public class Label : TextElement
    {
        public Label()
        {
        }

        public Label(string text)
        {
            this.text = text;
        }
    }

    public class Button : TextElement
    {
        public Button()
        {
        }

        public Button(Action clickEvent)
        {
            clicked += clickEvent;
        }

        public event Action clicked;

        public void StubClick() => clicked?.Invoke();
    }

    public interface INotifyValueChanged<T>
    {
        T value { get; set; }
    }

    public static class INotifyValueChangedExtensions
    {
        public static bool RegisterValueChangedCallback<T>(
            this INotifyValueChanged<T> control, EventCallback<ChangeEvent<T>> callback)
        {
            ((VisualElement)control).RegisterCallback(callback);
            return true;
        }
    }

    public abstract class BaseField<TValueType> : VisualElement, INotifyValueChanged<TValueType>
    {
        private TValueType held;

        protected BaseField(string label)
        {
            this.label = label;
        }

        public string label { get; set; }

        public TValueType value
        {
            get => held;
            set
            {
                TValueType before = held;
                held = value;
                StubSend(new ChangeEvent<TValueType> { previousValue = before, newValue = value });
            }
        }
    }

    public class TextField : BaseField<string>
    {
        public TextField(string label) : base(label)
        {
        }

        public bool isDelayed { get; set; }
    }

    public class Toggle : BaseField<bool>
    {
        public Toggle(string label) : base(label)
        {
        }
    }

    public class ListView : VisualElement
    {
        public IList itemsSource { get; set; }

        public Func<VisualElement> makeItem { get; set; }

        public Action<VisualElement, int> bindItem { get; set; }

        public float fixedItemHeight { get; set; }

        public SelectionType selectionType { get; set; }

        public int selectedIndex { get; set; } = -1;

        public List<VisualElement> StubRows { get; } = new List<VisualElement>();

        public void Rebuild()
        {
            StubRows.Clear();
            for (int at = 0; at < itemsSource.Count; at++)
            {
                VisualElement element = makeItem();
                bindItem(element, at);
                StubRows.Add(element);
            }
        }
    }
}

namespace UnityEditor.UIElements
{
    using UnityEngine.UIElements;

    public class Toolbar : VisualElement
    {
    }

    public class ToolbarButton : Button
    {
    }

    public class ToolbarSearchField : VisualElement, INotifyValueChanged<string>
    {
        private string held = "";

        public string value
        {
            get => held;
            set
            {
                string before = held;
                held = value;
                StubSend(new ChangeEvent<string> { previousValue = before, newValue = value });
            }
        }
    }
}
