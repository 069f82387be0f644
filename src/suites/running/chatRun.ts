import { countUsedTokens, toAmount } from '#base/records/amount.ts';
import { createWildcardMatcher } from '#base/text/wildcard.ts';
import type { CallOptions } from '#client/caller.ts';
import type { CompletionsRequest } from '#contract/text/completions.ts';
import type { GenerateContentRequest } from '#contract/text/content.ts';
import type { MessagesRequest } from '#contract/text/messages.ts';
import { parseJsonValue } from '../checks/valuePath.ts';
import { fillTemplate, MissingColumn } from '../datasets/templates.ts';
import type { SuiteTarget } from '../suite.ts';
import { CaseFault } from './caseWork.ts';
import type { SuiteClient } from './suiteService.ts';

/** A reply of a model. */
interface ChatReply {
	/** `text`, and `json` if the text is a JSON object or list. */
	readonly outputs: Readonly<Record<string, unknown>>;
	/** `undefined` if the service doesn't report them. */
	readonly tokens: number | undefined;
	readonly model: string;
}

type ChatTarget = Extract<SuiteTarget, { kind: 'chat' }>;

/**
 * Calls a model. Rejects with a {@link CaseFault} if the body uses an unknown input or no model matches; otherwise with the client's
 * error.
 */
export async function runChat(
	client: SuiteClient,
	target: ChatTarget,
	model: string,
	inputs: Readonly<Record<string, unknown>>,
	options: Pick<CallOptions, 'signal' | 'cache' | 'recording'>,
): Promise<ChatReply> {
	const body = createChatBody(target, inputs);
	switch (target.endpoint) {
		case 'messages': {
			const { content, usage } = await client.createMessage({ ...body, model } as MessagesRequest, options);
			const text = content.map(block => (typeof block['text'] === 'string' ? block['text'] : '')).join('');
			return createChatReply(text, usage && countUsedTokens(usage), model);
		}
		case 'completions': {
			const { completion } = await client.createCompletion({ ...body, model } as CompletionsRequest, options);
			return createChatReply(completion, undefined, model);
		}
		case 'content': {
			const reply = await client.generateContent(model, body as GenerateContentRequest, options);
			const parts = reply.candidates?.[0]?.content?.parts ?? [];
			const text = parts.map(part => (typeof part['text'] === 'string' ? part['text'] : '')).join('');
			const tokens = reply.usageMetadata?.totalTokenCount;
			return createChatReply(text, tokens === undefined ? undefined : toAmount(tokens), model);
		}
	}
}

/** Returns the first listed model that matches a suite's pattern. Rejects with a {@link CaseFault} if there's none. */
export async function resolveChatModel({ endpoint, model }: ChatTarget, client: SuiteClient, signal: AbortSignal): Promise<string> {
	if (!model.includes('*')) {
		return model;
	}
	const names =
		endpoint === 'content'
			? (await client.listContentModels({ signal })).map(({ name }) => name.replace(/^models\//, ''))
			: (await client.listMessagesModels({ signal })).map(({ id }) => id);
	const fitting = names.find(createWildcardMatcher(model));
	if (fitting === undefined) {
		throw new CaseFault(
			names.length > 0
				? `No model matches '${model}'. Expected one of ${names.slice(0, 12).join(', ')}.`
				: `No model matches '${model}'. The connection lists no models.`,
		);
	}
	return fitting;
}

function createChatBody({ body }: ChatTarget, inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
	try {
		return fillTemplate(body, inputs) as Record<string, unknown>;
	} catch (error) {
		if (error instanceof MissingColumn) {
			const names = Object.keys(inputs).join(', ');
			throw new CaseFault(
				names === ''
					? `'chat' uses {{${error.column}}}, but this test case has no inputs.`
					: `'chat' uses {{${error.column}}}, which isn't an input of this test case. Expected one of ${names}.`,
			);
		}
		throw error;
	}
}

function createChatReply(text: string, tokens: number | undefined, model: string): ChatReply {
	const json = parseJsonValue(text);
	return { outputs: { text, ...(typeof json === 'object' && json !== null ? { json } : {}) }, tokens, model };
}
