"""Settings of a Unity project: packages, builds, Addressables."""
