namespace AssetDb.Protocol
{
    /// <summary>One message of the daemon: an answer to a request, or a notification.</summary>
    public sealed class RpcMessage
    {
        private RpcMessage(long? id, string method, JsonValue result, RequestException error)
        {
            Id = id;
            Method = method;
            Result = result;
            Error = error;
        }

        /// <summary>Of the request that is answered; null in a notification, and where the request was not understood.</summary>
        public long? Id { get; }

        /// <summary>Of a notification, <c>""</c> of an answer.</summary>
        public string Method { get; }

        public JsonValue Result { get; }

        /// <summary>What went wrong, or null.</summary>
        public RequestException Error { get; }

        /// <summary>Read a line of the socket.</summary>
        /// <exception cref="ProtocolException">It is no message of JSON-RPC 2.0.</exception>
        public static RpcMessage Read(string line)
        {
            JsonValue message = JsonReader.Read(line).Expect(JsonKind.Object, "message");
            if (message.Text("jsonrpc") != "2.0")
            {
                throw new ProtocolException("what answers does not speak JSON-RPC 2.0");
            }
            string method = message.Text("method");
            JsonValue id = message.Member("id");
            long? number = id.IsNull ? (long?)null : message.RequiredInteger("id");
            JsonValue error = message.Member("error");
            if (!error.IsNull)
            {
                error.Expect(JsonKind.Object, "error");
                long code = error.RequiredInteger("code");
                if (code < int.MinValue || code > int.MaxValue)
                {
                    throw new ProtocolException("the code of the daemon's error is out of range");
                }
                return new RpcMessage(number, method, JsonValue.Null, new RequestException((int)code, error.RequiredText("message")));
            }
            if (method.Length == 0 && !message.Members.ContainsKey("result"))
            {
                throw new ProtocolException("the daemon's answer has neither a result nor an error");
            }
            return new RpcMessage(number, method, message.Member("result"), null);
        }

        /// <summary>Return a request as it goes over the socket.</summary>
        public static byte[] Request(long id, string method, JsonWriter parameters)
        {
            return LineFraming.Frame(new JsonWriter()
                .Text("jsonrpc", "2.0")
                .Integer("id", id)
                .Text("method", method)
                .Object("params", parameters)
                .ToString());
        }
    }
}
