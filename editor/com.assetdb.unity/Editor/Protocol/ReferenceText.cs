using System;
using System.Globalization;

namespace AssetDb.Protocol
{
    /// <summary>References as Unity's files have them.</summary>
    public static class ReferenceText
    {
        private const string BuiltInDigits = "0000000000000000"; // of `unity default resources` and its like

        /// <summary>Return <c>{fileID: ..., guid: ..., type: ...}</c>.</summary>
        /// <param name="guid">Of the asset.</param>
        /// <param name="fileId">Of the object in it.</param>
        /// <param name="meta">The text of the asset's meta: its importer decides the type.</param>
        public static string Of(string guid, long fileId, string meta)
        {
            return string.Format(
                CultureInfo.InvariantCulture, "{{fileID: {0}, guid: {1}, type: {2}}}", fileId, guid, TypeOf(guid, meta));
        }

        /// <summary>0: built in; 2: Unity's own serialization is the file (a material); 3: an importer made it.</summary>
        private static int TypeOf(string guid, string meta)
        {
            if (guid.StartsWith(BuiltInDigits, StringComparison.Ordinal))
            {
                return 0;
            }
            return meta.IndexOf("\nNativeFormatImporter:", StringComparison.Ordinal) >= 0 ? 2 : 3;
        }
    }
}
