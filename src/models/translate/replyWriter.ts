import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Turns a model's stream into the bytes of one protocol's stream. All methods return what to send; the empty text is nothing. */
export interface ReplyWriter {
	readonly contentType: string;
	/** Whether it keeps all text until the end. Calls are kept in every protocol. */
	readonly keepsText?: boolean;
	/** Sent while the model is silent, in protocols that have such an event. */
	readonly ping?: string;
	/** What comes before the first part; only the first call returns it. */
	start(): string;
	part(part: LanguageModelV4StreamPart): string;
	/** What comes after the last part; undefined where the model's stream ended before its reply did. */
	end(): string | undefined;
	fault(fault: ServiceFault): string;
}
