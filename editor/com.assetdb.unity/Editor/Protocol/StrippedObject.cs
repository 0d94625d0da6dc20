using System;
using System.Globalization;
using System.IO;

namespace AssetDb.Protocol
{
    /// <summary>
    /// An object of a prefab instance that a scene has only as <c>--- !u!4 &amp;ID stripped</c>, since something in the
    /// scene refers to it. The editor knows it by the prefab's fileID and the instance's.
    /// </summary>
    public sealed class StrippedObject
    {
        private const string Document = "--- !u!";
        private const string Stripped = " stripped";

        private StrippedObject(long source, long instance)
        {
            Source = source;
            Instance = instance;
        }

        /// <summary>FileID of the object in the prefab.</summary>
        public long Source { get; }

        /// <summary>FileID of the PrefabInstance in the scene.</summary>
        public long Instance { get; }

        /// <summary>Return the stripped object of a file; null where there is none of this fileID, or the file cannot be read.</summary>
        public static StrippedObject Read(string path, long fileId)
        {
            try
            {
                using (var text = new StreamReader(path))
                {
                    return Find(text, fileId);
                }
            }
            catch (SystemException error) when (error is IOException || error is UnauthorizedAccessException)
            {
                return null;
            }
        }

        /// <summary>Return the stripped object of a text asset; null where there is none of this fileID.</summary>
        public static StrippedObject Find(TextReader text, long fileId)
        {
            string anchor = " &" + fileId.ToString(CultureInfo.InvariantCulture) + Stripped;
            var document = new System.Text.StringBuilder();
            bool isInside = false;
            for (string line = text.ReadLine(); line != null; line = text.ReadLine())
            {
                if (line.StartsWith(Document, StringComparison.Ordinal))
                {
                    if (isInside)
                    {
                        break;
                    }
                    isInside = line.TrimEnd().EndsWith(anchor, StringComparison.Ordinal);
                }
                if (isInside)
                {
                    document.Append(line).Append('\n');
                }
            }
            long source = 0;
            long instance = 0;
            foreach (FileReference reference in ReferenceScanner.Scan(new StringReader(document.ToString())).References)
            {
                if (reference.Property == "m_CorrespondingSourceObject")
                {
                    source = reference.FileId;
                }
                else if (reference.Property == "m_PrefabInstance")
                {
                    instance = reference.FileId;
                }
            }
            return source != 0 && instance != 0 ? new StrippedObject(source, instance) : null;
        }
    }
}
