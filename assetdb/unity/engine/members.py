"""Members that all components and ScriptableObjects inherit from the engine.

Methods by name, and the setters of properties, of ``MonoBehaviour``, ``ScriptableObject`` and what they derive from, in
Unity 4 to 6000. The fields are those that Unity writes into the document of each.
"""

from __future__ import annotations

from typing import Final

METHODS: Final = frozenset(
    (
        # System.Object
        *("Equals", "Finalize", "GetHashCode", "GetType", "MemberwiseClone", "ReferenceEquals", "ToString"),
        # Object
        *("Destroy", "DestroyImmediate", "DestroyObject", "DontDestroyOnLoad", "GetInstanceID", "GetEntityId"),
        *("Instantiate", "InstantiateAsync", "FindObjectOfType", "FindObjectsOfType", "FindObjectsOfTypeAll"),
        *("FindObjectsOfTypeIncludingAssets", "FindSceneObjectsOfType", "FindAnyObjectByType", "FindFirstObjectByType"),
        *("FindObjectsByType", "get_name", "set_name", "get_hideFlags", "set_hideFlags"),
        # Component
        *("BroadcastMessage", "CompareTag", "GetComponent", "GetComponentInChildren", "GetComponentIndex"),
        *("GetComponentInParent", "GetComponents", "GetComponentsInChildren", "GetComponentsInParent"),
        *("SendMessage", "SendMessageUpwards", "TryGetComponent", "get_gameObject", "get_tag", "set_tag"),
        *("get_transform", "get_transformHandle", "get_active", "set_active", "get_animation", "get_audio"),
        *("get_camera", "get_collider", "get_collider2D", "get_constantForce", "get_guiElement", "get_guiText"),
        *("get_guiTexture", "get_hingeJoint", "get_light", "get_networkView", "get_particleEmitter"),
        *("get_particleSystem", "get_renderer", "get_rigidbody", "get_rigidbody2D"),
        # Behaviour
        *("get_enabled", "set_enabled", "get_isActiveAndEnabled"),
        # MonoBehaviour
        *("CancelInvoke", "Invoke", "InvokeRepeating", "IsInvoking", "StartCoroutine", "StartCoroutine_Auto"),
        *("StopAllCoroutines", "StopCoroutine", "print", "get_useGUILayout", "set_useGUILayout"),
        *("get_runInEditMode", "set_runInEditMode", "get_allowPrefabModeInPlayMode", "set_allowPrefabModeInPlayMode"),
        *("get_destroyCancellationToken", "get_didAwake", "get_didStart"),
        # ScriptableObject
        *("CreateInstance", "SetDirty"),
    )
)
FIELDS: Final = frozenset(
    (
        *("m_ObjectHideFlags", "m_CorrespondingSourceObject", "m_PrefabInstance", "m_PrefabAsset", "m_PrefabInternal"),
        *("m_PrefabParentObject", "m_ExtensionPtr", "m_GameObject", "m_Enabled", "m_EditorHideFlags", "m_Script"),
        *("m_Name", "m_EditorClassIdentifier", "m_GeneratorAsset", "serializedVersion", "references"),
    )
)
