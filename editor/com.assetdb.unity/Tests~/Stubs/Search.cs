// The part of UnityEditor.Search that the package uses; see UnityEngine.cs. All of it is in the Scripting API from 2021.1 on.
using System;
using System.Collections.Generic;
using UnityEngine;
using Object = UnityEngine.Object;

namespace UnityEditor.Search
{
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class SearchItemProviderAttribute : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class SearchActionsProviderAttribute : Attribute
    {
    }

    public sealed class SearchContext
    {
        /// <summary>What is typed, without the provider's own prefix.</summary>
        public string searchQuery { get; set; }
    }

    public sealed class SearchItem
    {
        public string id { get; set; }

        public int score { get; set; }

        public string label { get; set; }

        public string description { get; set; }

        public object data { get; set; }
    }

    public sealed class SearchAction
    {
        public SearchAction(string providerId, string name, Texture2D icon, string tooltip, Action<SearchItem> handler)
        {
            this.providerId = providerId;
            StubName = name;
            this.handler = handler;
        }

        public string providerId { get; }

        public string StubName { get; }

        public Action<SearchItem> handler { get; }
    }

    public sealed class SearchProvider
    {
        public SearchProvider(string id, string displayName)
        {
            this.id = id;
        }

        public string id { get; }

        public string filterId { get; set; }

        public bool isExplicitProvider { get; set; }

        public Func<SearchContext, List<SearchItem>, SearchProvider, object> fetchItems { get; set; }

        public Func<SearchItem, SearchContext, Texture2D> fetchThumbnail { get; set; }

        public Func<SearchItem, Type, Object> toObject { get; set; }

        public Action<SearchItem, SearchContext> trackSelection { get; set; }

        public SearchItem CreateItem(
            SearchContext context, string id, int score, string label, string description, Texture2D thumbnail, object data)
        {
            return new SearchItem { id = id, score = score, label = label, description = description, data = data };
        }
    }
}
