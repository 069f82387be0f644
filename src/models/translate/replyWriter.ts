import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Converts a model's stream to the stream of one protocol. All methods return what to send, which may be empty. */
export interface ReplyWriter {
	readonly contentType: string;
	/** Whether it keeps all text until the end. Calls are kept in every protocol. */
	readonly keepsText?: boolean;
	/** Sent while the model is silent, in protocols that have such an event. */
	readonly ping?: string;
	/** Returns what precedes the first part; only the first call returns it. */
	start(): string;
	writePart(part: LanguageModelV4StreamPart): string;
	/** Returns what follows the last part; undefined if the model's stream ended before its reply. */
	end(): string | undefined;
	writeFault(fault: ServiceFault): string;
}
