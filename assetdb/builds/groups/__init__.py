"""Layout of the bundles that Addressables groups would be built into."""
