/**
 * Whether what came under a status of success is a whole reply: a JSON that tells of no error, or a stream that tells of none and came to the last event of
 * its protocol. Services, and proxies before them, end a reply that failed as they end one that did not.
 * @param text all of it, decompressed
 */
export function isWholeReply(contentType: string | undefined, text: Buffer): boolean {
	return contentType?.startsWith('text/event-stream') ? isWholeStream(text.toString()) : isWholeJson(text.toString());
}

/** Gemini's streams that are no event streams are lists of pieces. */
function isWholeJson(text: string): boolean {
	try {
		const value: unknown = JSON.parse(text);
		return [value].flat().every(piece => typeof piece === 'object' && piece !== null && !(piece as { error?: unknown }).error);
	} catch {
		return false;
	}
}

/** Within a text of the reply quotes and ends of lines are escaped, so that none of these is found there. */
function isWholeStream(text: string): boolean {
	const ends = /^event: ?message_start/m.test(text) ? endOfMessages : lastEvents;
	return !faults.test(text) && ends.test(text);
}

const faults = /^event: ?error|^data: ?\{"error"|"type": ?"(?:error|response\.failed)"/m;
const endOfMessages = /"type": ?"message_stop"/;
/** Of chat and older completions, of responses, and of Gemini's content; some services send no `[DONE]`. */
const lastEvents = /^data: ?\[DONE\]|"type": ?"response\.(?:completed|incomplete)"|"(?:finish_reason|stop_reason|finishReason)": ?"/m;
