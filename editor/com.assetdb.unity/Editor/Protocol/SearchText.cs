using System;
using System.Collections.Generic;

namespace AssetDb.Protocol
{
    /// <summary>What is typed behind <c>adb:</c> in Unity's search: <c>Player t:Prefab</c>, or <c>ref:Assets/Red.mat</c>.</summary>
    public sealed class SearchText
    {
        private const string TypePrefix = "t:";
        private const string UsersPrefix = "ref:";
        private static readonly char[] Wildcards = { '*', '?', '[' };

        private SearchText(string pattern, string usersOf, IReadOnlyList<string> types)
        {
            Pattern = pattern;
            UsersOf = usersOf;
            Types = types;
        }

        /// <summary>Of names; part of a name is enough. <c>""</c> where nothing is asked for by name.</summary>
        public string Pattern { get; }

        /// <summary>The asset whose users are wanted, or <c>""</c>.</summary>
        public string UsersOf { get; }

        public IReadOnlyList<string> Types { get; }

        public bool IsEmpty => Pattern.Length == 0 && UsersOf.Length == 0 && Types.Count == 0;

        public static SearchText Read(string typed)
        {
            var types = new List<string>();
            var names = new List<string>();
            foreach (string word in (typed ?? "").Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries))
            {
                if (word.StartsWith(TypePrefix, StringComparison.OrdinalIgnoreCase))
                {
                    if (word.Length > TypePrefix.Length)
                    {
                        types.Add(word.Substring(TypePrefix.Length));
                    }
                }
                else
                {
                    names.Add(word);
                }
            }
            string name = string.Join(" ", names.ToArray());
            if (name.StartsWith(UsersPrefix, StringComparison.OrdinalIgnoreCase))
            {
                return new SearchText("", name.Substring(UsersPrefix.Length).Trim().Trim('"'), types);
            }
            bool isPart = name.Length > 0 && name.IndexOfAny(Wildcards) < 0;
            return new SearchText(isPart ? "*" + name + "*" : name, "", types);
        }
    }
}
