using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace AssetDb.Protocol
{
    /// <summary>
    /// Reads one JSON document (RFC 8259), bounded in depth and in the number of values.
    /// </summary>
    /// <remarks>
    /// Unity's JsonUtility reads neither objects with unknown names nor <c>null</c> for a number, both of which the
    /// daemon's answers have. The open arrays and objects are on a stack of our own, so that no depth of a document is a
    /// depth of recursion.
    /// </remarks>
    public sealed class JsonReader
    {
        /// <summary>How deep arrays and objects may be in each other; the daemon's answers have 5 levels.</summary>
        public const int DefaultMostDepth = 64;

        /// <summary>How many values a document may have: 100,000 usages of 13 fields each, and then some.</summary>
        public const int DefaultMostValues = 2000000;

        private readonly string text;
        private readonly int mostDepth;
        private readonly Stack<Frame> open = new Stack<Frame>();
        private int at;
        private int valuesLeft;

        private JsonReader(string text, int mostDepth, int mostValues)
        {
            this.text = text;
            this.mostDepth = mostDepth;
            valuesLeft = mostValues;
        }

        /// <summary>Read a document.</summary>
        /// <exception cref="ProtocolException">It is no JSON, or larger than it may be; the message has the place.</exception>
        public static JsonValue Read(
            string text, int mostDepth = DefaultMostDepth, int mostValues = DefaultMostValues)
        {
            return new JsonReader(text, mostDepth, mostValues).ReadDocument();
        }

        private JsonValue ReadDocument()
        {
            while (true)
            {
                JsonValue value = ReadStart();
                while (value != null)
                {
                    if (open.Count == 0)
                    {
                        SkipSpace();
                        if (at != text.Length)
                        {
                            throw Damaged("something follows the document");
                        }
                        return value;
                    }
                    value = Put(value);
                }
            }
        }

        /// <summary>Read a scalar, or open an array or object; null where one was opened that has something in it.</summary>
        private JsonValue ReadStart()
        {
            SkipSpace();
            if (--valuesLeft < 0)
            {
                throw Damaged("there are too many values");
            }
            char first = Peek();
            switch (first)
            {
                case '{':
                    at++;
                    Open(new Frame(new Dictionary<string, JsonValue>()));
                    SkipSpace();
                    if (Peek() == '}')
                    {
                        at++;
                        return open.Pop().Value();
                    }
                    ReadName();
                    return null;
                case '[':
                    at++;
                    Open(new Frame(new List<JsonValue>()));
                    SkipSpace();
                    if (Peek() == ']')
                    {
                        at++;
                        return open.Pop().Value();
                    }
                    return null;
                case '"':
                    return JsonValue.OfString(ReadString());
                case 't':
                    return Word("true", JsonValue.OfBoolean(true));
                case 'f':
                    return Word("false", JsonValue.OfBoolean(false));
                case 'n':
                    return Word("null", JsonValue.Null);
                default:
                    return ReadNumber();
            }
        }

        /// <summary>Put a value into what is open; return what is thereby closed, or null where more follows.</summary>
        private JsonValue Put(JsonValue value)
        {
            Frame frame = open.Peek();
            frame.Add(value);
            SkipSpace();
            char next = Peek();
            if (next == ',')
            {
                at++;
                if (frame.IsObject)
                {
                    SkipSpace();
                    ReadName();
                }
                return null;
            }
            if (next != (frame.IsObject ? '}' : ']'))
            {
                throw Damaged("expected a comma or the end of what is open");
            }
            at++;
            return open.Pop().Value();
        }

        private void Open(Frame frame)
        {
            if (open.Count == mostDepth)
            {
                throw Damaged($"arrays and objects are more than {mostDepth} deep");
            }
            open.Push(frame);
        }

        private void ReadName()
        {
            if (Peek() != '"')
            {
                throw Damaged("expected a name");
            }
            open.Peek().Name = ReadString();
            SkipSpace();
            if (Peek() != ':')
            {
                throw Damaged("expected a colon");
            }
            at++;
        }

        private string ReadString()
        {
            int start = ++at;
            while (at < text.Length && text[at] != '"' && text[at] != '\\' && text[at] >= ' ')
            {
                at++;
            }
            if (at < text.Length && text[at] == '"')
            {
                return text.Substring(start, at++ - start);
            }
            var built = new StringBuilder(text, start, at - start, Math.Max(16, 2 * (at - start)));
            while (true)
            {
                char next = Peek();
                at++;
                if (next == '"')
                {
                    return built.ToString();
                }
                if (next < ' ')
                {
                    throw Damaged("a control character stands in a string");
                }
                built.Append(next == '\\' ? ReadEscape() : next);
            }
        }

        private char ReadEscape()
        {
            char kind = Peek();
            at++;
            switch (kind)
            {
                case '"':
                case '\\':
                case '/':
                    return kind;
                case 'b':
                    return '\b';
                case 'f':
                    return '\f';
                case 'n':
                    return '\n';
                case 'r':
                    return '\r';
                case 't':
                    return '\t';
                case 'u':
                    int unit = 0;
                    for (int digit = 0; digit < 4; digit++)
                    {
                        unit = unit * 16 + HexDigit(Peek());
                        at++;
                    }
                    return (char)unit;
                default:
                    throw Damaged("there is no such escape");
            }
        }

        private int HexDigit(char digit)
        {
            if (digit >= '0' && digit <= '9')
            {
                return digit - '0';
            }
            int letter = (digit | 0x20) - 'a';
            if (letter < 0 || letter > 5)
            {
                throw Damaged("expected four hexadecimal digits");
            }
            return letter + 10;
        }

        private JsonValue ReadNumber()
        {
            int start = at;
            if (Peek() == '-')
            {
                at++;
            }
            if (SkipDigits() == 0)
            {
                throw Damaged("expected a value");
            }
            bool isWhole = true;
            if (at < text.Length && text[at] == '.')
            {
                isWhole = false;
                at++;
                if (SkipDigits() == 0)
                {
                    throw Damaged("expected digits behind the point");
                }
            }
            if (at < text.Length && (text[at] | 0x20) == 'e')
            {
                isWhole = false;
                at++;
                if (at < text.Length && (text[at] == '+' || text[at] == '-'))
                {
                    at++;
                }
                if (SkipDigits() == 0)
                {
                    throw Damaged("expected digits in the exponent");
                }
            }
            string digits = text.Substring(start, at - start);
            if (digits.Length > 400)
            {
                throw Damaged("a number has too many digits");
            }
            int first = digits[0] == '-' ? 1 : 0;
            if (digits[first] == '0' && digits.Length > first + 1 && char.IsDigit(digits[first + 1]))
            {
                throw Damaged("a number begins with 0");
            }
            // FileIDs have 64 bits: as a double, 9007199254740993 would name another object.
            if (isWhole && long.TryParse(
                digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long integer))
            {
                return JsonValue.OfInteger(integer);
            }
            if (double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out double number)
                && !double.IsInfinity(number))
            {
                return JsonValue.OfNumber(number);
            }
            throw Damaged("a number is too large");
        }

        private int SkipDigits()
        {
            int start = at;
            while (at < text.Length && text[at] >= '0' && text[at] <= '9')
            {
                at++;
            }
            return at - start;
        }

        private JsonValue Word(string word, JsonValue value)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0)
            {
                throw Damaged("expected a value");
            }
            at += word.Length;
            return value;
        }

        private void SkipSpace()
        {
            while (at < text.Length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r'))
            {
                at++;
            }
        }

        private char Peek()
        {
            if (at >= text.Length)
            {
                throw Damaged("it ends too early");
            }
            return text[at];
        }

        private ProtocolException Damaged(string what)
        {
            return new ProtocolException($"the daemon's answer is not JSON: {what}, at character {at}");
        }

        /// <summary>An array or object that is being read.</summary>
        private sealed class Frame
        {
            private readonly List<JsonValue> items;
            private readonly Dictionary<string, JsonValue> members;

            public Frame(List<JsonValue> items)
            {
                this.items = items;
            }

            public Frame(Dictionary<string, JsonValue> members)
            {
                this.members = members;
            }

            public bool IsObject => members != null;

            public string Name { private get; set; }

            public void Add(JsonValue value)
            {
                if (members != null)
                {
                    members[Name] = value;
                }
                else
                {
                    items.Add(value);
                }
            }

            public JsonValue Value() => members != null ? JsonValue.OfObject(members) : JsonValue.OfArray(items);
        }
    }
}
