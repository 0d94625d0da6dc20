using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("AssetDb.Tests")]
[assembly: InternalsVisibleTo("AssetDb.UnityTests")]
