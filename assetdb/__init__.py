"""Say what every GUID and fileID of a Unity project is, without the Unity editor."""
