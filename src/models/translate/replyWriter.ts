import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Converts a model's stream to the stream of one protocol. All methods return the text to send, which may be empty. */
export interface ReplyWriter {
	readonly contentType: string;
	/** True if it keeps all text until the end. Calls are kept in every protocol. */
	readonly keepsText?: boolean;
	/** True if it keeps all thinking until the end. */
	readonly keepsThinking?: boolean;
	/** Text to send while the model is silent, in protocols that have a ping. */
	readonly ping?: string;
	/** Returns the text before the first part. Only the first call returns any. */
	writeStart(): string;
	writePart(part: LanguageModelV4StreamPart): string;
	/** Returns the text after the last part; undefined if the model's stream broke off. */
	writeEnd(): string | undefined;
	writeFault(fault: ServiceFault): string;
}
