using System;
using AssetDb.Protocol;

namespace AssetDb.Connection
{
    /// <summary>There is no daemon, or it does not answer.</summary>
    public sealed class DaemonException : AssetDbException
    {
        public DaemonException(string message, Exception cause = null) : base(message, cause)
        {
        }
    }
}
