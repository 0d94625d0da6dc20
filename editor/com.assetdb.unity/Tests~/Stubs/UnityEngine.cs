// The part of UnityEngine that the package uses, written by hand, in part from its public documentation and in part from
// memory, so that a compiler can check the package without Unity. What tests look at does a little; the rest does nothing.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public class Object
    {
        public static void DestroyImmediate(Object obj)
        {
        }

        public string name { get; set; } = "";

        public static bool operator ==(Object one, Object other) => ReferenceEquals(one, other);

        public static bool operator !=(Object one, Object other) => !ReferenceEquals(one, other);

        public static implicit operator bool(Object exists) => !ReferenceEquals(exists, null);

        public override bool Equals(object other) => ReferenceEquals(this, other);

        public override int GetHashCode() => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);
    }

    [System.AttributeUsage(System.AttributeTargets.Field)]
    public sealed class SerializeField : System.Attribute
    {
    }

    public class ScriptableObject : Object
    {
        public static T CreateInstance<T>() where T : ScriptableObject
        {
            var made = (T)Activator.CreateInstance(typeof(T), true);
            Resources.Loaded.Add(made);
            return made;
        }
    }

    public class Component : Object
    {
        public GameObject gameObject { get; set; }
    }

    public class Transform : Component
    {
        public void SetParent(Transform p) => p.gameObject.StubChildren.Add(gameObject);

        public Transform GetChild(int index) => gameObject.StubChildren[index].transform;
    }

    public sealed class Camera : Component
    {
    }

    public sealed class GameObject : Object
    {
        public GameObject()
        {
        }

        public GameObject(string name)
        {
            this.name = name;
        }

        public Transform transform => GetComponents<Transform>()[0];

        public T AddComponent<T>() where T : Component => null;

        public List<Component> StubComponents { get; } = new List<Component>();

        public List<GameObject> StubChildren { get; } = new List<GameObject>();

        public SceneManagement.Scene scene { get; set; }

        public T[] GetComponents<T>()
        {
            var found = new List<T>();
            foreach (Component component in StubComponents)
            {
                if (component is T typed)
                {
                    found.Add(typed);
                }
            }
            return found.ToArray();
        }

        public T[] GetComponentsInChildren<T>(bool includeInactive)
        {
            var found = new List<T>(GetComponents<T>());
            foreach (GameObject child in StubChildren)
            {
                found.AddRange(child.GetComponentsInChildren<T>(includeInactive));
            }
            return found.ToArray();
        }
    }

    public static class Application
    {
        public static string dataPath { get; set; } = "";

        public static bool isBatchMode { get; set; }
    }

    public static class Debug
    {
        public static List<Exception> StubExceptions { get; } = new List<Exception>();

        public static void LogException(Exception exception) => StubExceptions.Add(exception);
    }

    public static class Resources
    {
        public static List<Object> Loaded { get; } = new List<Object>();

        public static T[] FindObjectsOfTypeAll<T>() where T : Object
        {
            var found = new List<T>();
            foreach (Object loaded in Loaded)
            {
                if (loaded is T typed)
                {
                    found.Add(typed);
                }
            }
            return found.ToArray();
        }
    }

    public struct Hash128
    {
        private readonly string text;

        private Hash128(string text)
        {
            this.text = text;
        }

        public static Hash128 Compute(string data) => new Hash128(data);

        public override string ToString() => text;
    }

    public struct Vector2
    {
        public float x;
        public float y;

        public Vector2(float x, float y)
        {
            this.x = x;
            this.y = y;
        }
    }

    public class GUIContent
    {
        public GUIContent(string text)
        {
            this.text = text;
        }

        public string text { get; set; }
    }

    public class Texture : Object
    {
    }

    public class Texture2D : Texture
    {
    }

    public sealed class GUIStyle
    {
    }

    public sealed class GUILayoutOption
    {
    }

    public static class GUILayout
    {
        /// <summary>The buttons of the last pass; the one whose text this is was pressed.</summary>
        public static List<string> StubButtons { get; } = new List<string>();

        public static string StubPressed { get; set; }

        public static bool Button(string text, GUIStyle style, params GUILayoutOption[] options)
        {
            StubButtons.Add(text);
            return text == StubPressed;
        }
    }

    public enum EventType
    {
        MouseUp = 1,
        Repaint = 7,
        Layout = 8,
    }

    public sealed class Event
    {
        public static Event current { get; set; } = new Event();

        public EventType type { get; set; }
    }

    public enum KeyCode
    {
        None = 0,
        Return = 13,
        C = 99,
        KeypadEnter = 271,
        RightArrow = 275,
        LeftArrow = 276,
    }
}

namespace UnityEngine.SceneManagement
{
    public struct Scene
    {
        public Scene(string path, bool isLoaded)
        {
            this.path = path;
            this.isLoaded = isLoaded;
        }

        public string path { get; }

        public bool isLoaded { get; }

        public GameObject[] GetRootGameObjects() => new GameObject[0];
    }

    public static class SceneManager
    {
        public static Scene GetActiveScene() => new Scene("", true);

        public static Scene GetSceneByPath(string scenePath) => new Scene(scenePath, false);
    }
}
