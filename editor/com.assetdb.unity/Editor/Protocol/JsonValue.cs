using System.Collections.Generic;

namespace AssetDb.Protocol
{
    /// <summary>What kind of value a <see cref="JsonValue"/> is.</summary>
    public enum JsonKind
    {
        Null,
        Boolean,
        Integer,
        Number,
        String,
        Array,
        Object,
    }

    /// <summary>
    /// One JSON value, immutable once <see cref="JsonReader"/> returned it. The <c>Required...</c> members raise a
    /// <see cref="ProtocolException"/> that names the field where a value is absent or of another kind.
    /// </summary>
    public sealed class JsonValue
    {
        public static readonly JsonValue Null = new JsonValue(JsonKind.Null, 0, 0, null, null, null);

        private static readonly List<JsonValue> NoItems = new List<JsonValue>();
        private static readonly Dictionary<string, JsonValue> NoMembers = new Dictionary<string, JsonValue>();

        private readonly long integer;
        private readonly double number;
        private readonly string text;
        private readonly List<JsonValue> items;
        private readonly Dictionary<string, JsonValue> members;

        private JsonValue(
            JsonKind kind,
            long integer,
            double number,
            string text,
            List<JsonValue> items,
            Dictionary<string, JsonValue> members)
        {
            Kind = kind;
            this.integer = integer;
            this.number = number;
            this.text = text;
            this.items = items;
            this.members = members;
        }

        public JsonKind Kind { get; }

        /// <summary>The items of an array, none for anything else.</summary>
        public IReadOnlyList<JsonValue> Items => items ?? NoItems;

        /// <summary>The members of an object, none for anything else.</summary>
        public IReadOnlyDictionary<string, JsonValue> Members => members ?? NoMembers;

        public bool IsNull => Kind == JsonKind.Null;

        public static JsonValue OfBoolean(bool value) =>
            new JsonValue(JsonKind.Boolean, value ? 1 : 0, 0, null, null, null);

        public static JsonValue OfInteger(long value) =>
            new JsonValue(JsonKind.Integer, value, value, null, null, null);

        public static JsonValue OfNumber(double value) =>
            new JsonValue(JsonKind.Number, 0, value, null, null, null);

        public static JsonValue OfString(string value) =>
            new JsonValue(JsonKind.String, 0, 0, value, null, null);

        public static JsonValue OfArray(List<JsonValue> values) =>
            new JsonValue(JsonKind.Array, 0, 0, null, values, null);

        public static JsonValue OfObject(Dictionary<string, JsonValue> values) =>
            new JsonValue(JsonKind.Object, 0, 0, null, null, values);

        /// <summary>Return a member, or null (JSON's) where there is none.</summary>
        public JsonValue Member(string name)
        {
            return members != null && members.TryGetValue(name, out JsonValue found) ? found : Null;
        }

        /// <summary>Return a member that is a string, <c>""</c> where it is null or absent.</summary>
        public string Text(string name)
        {
            JsonValue found = Member(name);
            return found.IsNull ? "" : found.Expect(JsonKind.String, name).text;
        }

        public string RequiredText(string name) => Member(name).Expect(JsonKind.String, name).text;

        public long RequiredInteger(string name) => Member(name).Expect(JsonKind.Integer, name).integer;

        /// <summary>Return a member that is an integer, <paramref name="otherwise"/> where it is null or absent.</summary>
        public long Integer(string name, long otherwise)
        {
            JsonValue found = Member(name);
            return found.IsNull ? otherwise : found.Expect(JsonKind.Integer, name).integer;
        }

        /// <summary>Return the items of a member that is an array, none where it is null or absent.</summary>
        public IReadOnlyList<JsonValue> List(string name)
        {
            JsonValue found = Member(name);
            return found.IsNull ? NoItems : found.Expect(JsonKind.Array, name).items;
        }

        /// <summary>Return this value where it is of a kind.</summary>
        public JsonValue Expect(JsonKind kind, string name)
        {
            if (Kind != kind)
            {
                throw new ProtocolException($"the answer's \"{name}\" is {Describe(Kind)}, expected {Describe(kind)}");
            }
            return this;
        }

        /// <summary>Return a scalar as it is shown to people; arrays and objects are <c>""</c>.</summary>
        public string Shown()
        {
            switch (Kind)
            {
                case JsonKind.Boolean:
                    return integer != 0 ? "yes" : "no";
                case JsonKind.Integer:
                    return integer.ToString(System.Globalization.CultureInfo.InvariantCulture);
                case JsonKind.Number:
                    return number.ToString("R", System.Globalization.CultureInfo.InvariantCulture);
                case JsonKind.String:
                    return text;
                default:
                    return "";
            }
        }

        private static string Describe(JsonKind kind)
        {
            switch (kind)
            {
                case JsonKind.Null:
                    return "null or absent";
                case JsonKind.Array:
                    return "an array";
                case JsonKind.Integer:
                    return "an integer";
                case JsonKind.Object:
                    return "an object";
                default:
                    return "a " + kind.ToString().ToLowerInvariant();
            }
        }
    }
}
