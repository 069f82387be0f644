import * as z from 'zod';
import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import { ratings } from '#contract/dify/appFeatures.ts';
import { endpointKinds, problemActions, type Transcript, toolStatuses } from '#pages/chat/transcript/transcript.ts';

const endpoint = z.enum(endpointKinds);
/**
 * Text and numbers in parts and replies, which may come from a service. If it sent a value of another type, the value is converted or
 * dropped, because otherwise the whole chat couldn't be opened again. `Infinity` is null in JSON.
 */
const text = z.string().catch(({ value }) => (typeof value === 'object' ? JSON.stringify(value ?? '') : String(value)));
const count = z.number().optional().catch(undefined);
const citation = z.object({
	title: text,
	url: text.optional(),
	quote: text.optional(),
	from: text.optional(),
	score: count,
});
const image = z.object({ kind: z.literal('image'), name: text, mimeType: text, data: text });
const document = z.object({
	kind: z.literal('document'),
	name: text,
	mimeType: text,
	data: text,
	text: text,
	problem: text.optional(),
	uri: text.optional(),
});
const file = z.object({
	kind: z.literal('file'),
	name: text,
	language: text,
	text: text,
	uri: text.optional(),
	lines: text.optional(),
});

const texts = z.array(text);
const form = z.object({
	id: text,
	nodeId: text,
	title: text,
	content: text,
	inputs: z.array(
		z.object({
			name: text,
			kind: z.enum(['paragraph', 'select', 'file', 'file-list']),
			value: text,
			options: texts,
			required: z.boolean(),
			fileTypes: texts,
			extensions: texts,
			uploads: z.boolean(),
			links: z.boolean(),
			most: count,
		}),
	),
	actions: z.array(z.object({ id: text, title: text, style: z.enum(['primary', 'default', 'accent', 'ghost']) })),
	token: text.optional(),
	expiresAt: count,
});

const toolRun = z.object({ title: text, where: text, status: z.enum(toolStatuses), ms: count });
const tool = z.object({
	kind: z.enum(['agent', 'editor']),
	name: text,
	connectionId: text.optional(),
	allowed: z.boolean().optional(),
});

const part = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('text'), text: text, signature: text.optional(), citations: z.array(citation).optional() }),
	z.object({ kind: z.literal('thinking'), text: text, signature: text.optional(), redacted: text.optional() }),
	image,
	document,
	z.object({ kind: z.literal('audio'), mimeType: text, data: text }),
	file,
	z.object({
		kind: z.literal('toolCall'),
		id: text,
		name: text,
		input: text,
		signature: text.optional(),
		run: toolRun.optional(),
	}),
	z.object({ kind: z.literal('toolResult'), id: text, name: text, output: text, isError: z.boolean() }),
	z.object({
		kind: z.literal('stored'),
		name: text,
		id: text.optional(),
		url: text.optional(),
		type: z.literal('image').optional(),
		picture: z.object({ mimeType: text, data: text }).optional(),
	}),
	z.object({ kind: z.literal('step'), id: text, tool: text, text: text, input: text, output: text }),
	z.object({ kind: z.literal('form'), form, answer: text.optional() }),
	z.object({ kind: z.literal('other'), endpoint, type: text, value: z.unknown() }),
]);

const usage = z.object({ input: count, output: count, thinking: count, cached: count });
const reply = z.object({
	status: z.enum(['streaming', 'done', 'stopped', 'failed', 'interrupted']),
	endpoint,
	connection: text,
	connectionId: text.optional(),
	model: text,
	firstTokenMs: count,
	durationMs: count,
	usage: usage.optional(),
	cost: z
		.object({ amount: z.number(), currency: z.string().regex(/^[A-Z]{3}$/) })
		.optional()
		.catch(undefined),
	lastUsage: usage.optional(),
	finish: z.object({ reason: text, text: text, notable: z.boolean() }).optional(),
	conversationId: text.optional(),
	runId: text.optional(),
	messageId: text.optional(),
	feedback: z.object({ rating: z.enum(ratings), comment: text.optional() }).optional(),
	suggested: texts.optional(),
	notes: texts.optional(),
	problem: z.object({ reason: text, message: text, actions: z.array(z.enum(problemActions)) }).optional(),
});

const turn = z.object({
	id: z.string().min(1),
	parent: z.string().nullable(),
	role: z.enum(['user', 'assistant']),
	parts: z.array(part),
	// accept null, which older versions saved for times that couldn't be read
	at: z.number().catch(0),
	reply: reply.optional(),
	summary: text.optional(),
});

const settings = z.record(z.string(), z.unknown());
const createEndpointSchema = <T extends z.ZodType>(value: T) =>
	z.object(Object.fromEntries(endpointKinds.map(kind => [kind, value.optional()])));

/** Schema of a chat on disk and in an exported file. */
const transcriptSchema = z.object({
	version: z.literal(1),
	id: z.string().regex(/^[\w-]{1,64}$/),
	title: text,
	named: z.boolean(),
	createdAt: z.number(),
	updatedAt: z.number(),
	connectionId: z.string(),
	user: z.string(),
	endpoint,
	models: createEndpointSchema(z.string()),
	system: z.string(),
	settings: createEndpointSchema(settings),
	attachments: z.array(
		z.object({ id: z.string(), part: z.discriminatedUnion('kind', [image, document, file]), source: z.string().optional() }),
	),
	tools: z.array(tool).default([]),
	turns: z.array(turn),
	leaf: z.string().nullable(),
});

/**
 * Parses a chat from JSON. Marks a reply that was still streaming as `interrupted`. Throws a {@link Problem} `unreadable` with the source
 * and the position of the error.
 */
export function parseTranscript(words: Localization, text: string, source: string): Transcript {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (cause) {
		throw new Problem('unreadable', words.t("'{0}' isn't a valid chat file: it isn't valid JSON.", source), undefined, { cause });
	}
	const result = transcriptSchema.safeParse(value);
	if (!result.success) {
		const { path = [], message = '' } = result.error.issues[0] ?? {};
		const problem =
			path.length > 0
				? words.t("'{0}' isn't a valid chat file. Problem at '{1}': {2}", source, path.join('.'), message)
				: words.t("'{0}' isn't a valid chat file: {1}", source, message);
		throw new Problem('unreadable', problem);
	}
	const transcript = result.data as Transcript;
	for (const { reply, parts } of transcript.turns) {
		if (reply?.status === 'streaming') {
			Object.assign(reply, { status: 'interrupted' });
		}
		for (const part of parts) {
			if (part.kind === 'toolCall' && (part.run?.status === 'asked' || part.run?.status === 'running')) {
				part.run = { ...part.run, status: 'stopped' };
			}
		}
	}
	return transcript;
}
