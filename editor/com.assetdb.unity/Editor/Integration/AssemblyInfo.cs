using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("AssetDb.Tests")]
