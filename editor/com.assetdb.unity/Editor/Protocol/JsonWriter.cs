using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace AssetDb.Protocol
{
    /// <summary>Writes the members of one JSON object, on one line: what the parameters of a request are.</summary>
    public sealed class JsonWriter
    {
        private readonly StringBuilder text = new StringBuilder("{");
        private bool isFirst = true;

        /// <summary>Write a member that is a string.</summary>
        public JsonWriter Text(string name, string value)
        {
            Name(name);
            Quote(value);
            return this;
        }

        /// <summary>Write a member that is an integer.</summary>
        public JsonWriter Integer(string name, long value)
        {
            Name(name);
            text.Append(value.ToString(CultureInfo.InvariantCulture));
            return this;
        }

        /// <summary>Write a member that is true or false.</summary>
        public JsonWriter Boolean(string name, bool value)
        {
            Name(name);
            text.Append(value ? "true" : "false");
            return this;
        }

        /// <summary>Write a member that is an array of strings.</summary>
        public JsonWriter Texts(string name, IEnumerable<string> values)
        {
            Name(name);
            text.Append('[');
            bool isFirstItem = true;
            foreach (string value in values)
            {
                if (!isFirstItem)
                {
                    text.Append(',');
                }
                isFirstItem = false;
                Quote(value);
            }
            text.Append(']');
            return this;
        }

        /// <summary>Write a member that is an object.</summary>
        public JsonWriter Object(string name, JsonWriter value)
        {
            Name(name);
            text.Append(value);
            return this;
        }

        /// <summary>Return the object as JSON.</summary>
        public override string ToString() => text + "}";

        private void Name(string name)
        {
            if (!isFirst)
            {
                text.Append(',');
            }
            isFirst = false;
            Quote(name);
            text.Append(':');
        }

        private void Quote(string value)
        {
            text.Append('"');
            for (int at = 0; at < value.Length; at++)
            {
                char unit = value[at];
                if (unit == '"' || unit == '\\')
                {
                    text.Append('\\').Append(unit);
                }
                else if (unit < ' ' || unit == '\u2028' || unit == '\u2029')
                {
                    Escape(unit);
                }
                else if (!char.IsSurrogate(unit))
                {
                    text.Append(unit);
                }
                else if (char.IsHighSurrogate(unit) && at + 1 < value.Length && char.IsLowSurrogate(value[at + 1]))
                {
                    text.Append(unit).Append(value[++at]);
                }
                else
                {
                    text.Append('\ufffd'); // half of a pair has no UTF-8: the daemon would refuse the whole message
                }
            }
            text.Append('"');
        }

        private void Escape(char unit)
        {
            text.Append("\\u").Append(((int)unit).ToString("x4", CultureInfo.InvariantCulture));
        }
    }
}
