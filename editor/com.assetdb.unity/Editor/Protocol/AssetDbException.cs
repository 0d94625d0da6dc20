using System;

namespace AssetDb.Protocol
{
    /// <summary>The base of every error that this package raises on purpose; its message is for people.</summary>
    public abstract class AssetDbException : Exception
    {
        protected AssetDbException(string message, Exception cause) : base(message, cause)
        {
        }
    }

    /// <summary>What the other end sent is not what is spoken here: damaged, too large, or not a daemon at all.</summary>
    public sealed class ProtocolException : AssetDbException
    {
        public ProtocolException(string message, Exception cause = null) : base(message, cause)
        {
        }
    }

    /// <summary>The daemon answered with an error; <see cref="Code"/> is one of the table in docs/watch.md.</summary>
    public sealed class RequestException : AssetDbException
    {
        public const int MethodNotFound = -32601;

        public RequestException(int code, string message) : base(message, null)
        {
            Code = code;
        }

        public int Code { get; }
    }
}
