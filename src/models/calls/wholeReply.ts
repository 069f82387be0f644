/**
 * True if a successful response is complete: JSON without an error, or a stream without an error that reached its protocol's last event.
 * Services and proxies may end a failed reply with a success status.
 * @param text the whole decompressed body
 */
export function isWholeReply(contentType: string | undefined, text: Buffer): boolean {
	return contentType?.startsWith('text/event-stream') ? isWholeStream(text.toString()) : isWholeJson(text.toString());
}

/** True if a JSON reply is complete. Gemini's JSON streams are lists of chunks. */
function isWholeJson(text: string): boolean {
	try {
		const value: unknown = JSON.parse(text);
		return [value].flat().every(piece => typeof piece === 'object' && piece !== null && !(piece as { error?: unknown }).error);
	} catch {
		return false;
	}
}

/** True if a stream is complete. The patterns only match the protocol's fields, because quotes and line ends are escaped within strings. */
function isWholeStream(text: string): boolean {
	const ends = /^event: ?message_start/m.test(text) ? endOfMessages : lastEvents;
	return !faults.test(text) && ends.test(text);
}

const faults = /^event: ?error|^data: ?\{"error"|"type": ?"(?:error|response\.failed)"/m;
const endOfMessages = /"type": ?"message_stop"/;
/** Last events of chat completions, completions, responses and Gemini. Some services send no `[DONE]`. */
const lastEvents = /^data: ?\[DONE\]|"type": ?"response\.(?:completed|incomplete)"|"(?:finish_reason|stop_reason|finishReason)": ?"/m;
