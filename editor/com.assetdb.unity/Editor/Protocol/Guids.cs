namespace AssetDb.Protocol
{
    /// <summary>GUIDs as Unity writes them: 32 hexadecimal digits.</summary>
    public static class Guids
    {
        public const int Length = 32;

        public static bool IsHexDigit(char digit)
        {
            return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f') || (digit >= 'A' && digit <= 'F');
        }

        /// <summary>Whether a text is a GUID, and not that of nothing.</summary>
        public static bool IsGuid(string text)
        {
            if (text == null || text.Length != Length)
            {
                return false;
            }
            bool isNothing = true;
            foreach (char digit in text)
            {
                if (!IsHexDigit(digit))
                {
                    return false;
                }
                isNothing &= digit == '0';
            }
            return !isNothing;
        }
    }
}
