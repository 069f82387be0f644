import * as z from 'zod';
import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import { ratings } from '#contract/dify/appFeatures.ts';
import { endpointKinds, problemActions, type Transcript, toolStatuses } from '#pages/chat/transcript/transcript.ts';

const endpoint = z.enum(endpointKinds);
const citation = z.object({
	title: z.string(),
	url: z.string().optional(),
	quote: z.string().optional(),
	from: z.string().optional(),
	score: z.number().optional(),
});
const image = z.object({ kind: z.literal('image'), name: z.string(), mimeType: z.string(), data: z.string() });
const document = z.object({
	kind: z.literal('document'),
	name: z.string(),
	mimeType: z.string(),
	data: z.string(),
	text: z.string(),
	problem: z.string().optional(),
	uri: z.string().optional(),
});
const file = z.object({
	kind: z.literal('file'),
	name: z.string(),
	language: z.string(),
	text: z.string(),
	uri: z.string().optional(),
	lines: z.string().optional(),
});

const texts = z.array(z.string());
const form = z.object({
	id: z.string(),
	nodeId: z.string(),
	title: z.string(),
	content: z.string(),
	inputs: z.array(
		z.object({
			name: z.string(),
			kind: z.enum(['paragraph', 'select', 'file', 'file-list']),
			value: z.string(),
			options: texts,
			required: z.boolean(),
			fileTypes: texts,
			extensions: texts,
			uploads: z.boolean(),
			links: z.boolean(),
			most: z.number().optional(),
		}),
	),
	actions: z.array(z.object({ id: z.string(), title: z.string(), style: z.enum(['primary', 'default', 'accent', 'ghost']) })),
	token: z.string().optional(),
	expiresAt: z.number().optional(),
});

const toolRun = z.object({ title: z.string(), where: z.string(), status: z.enum(toolStatuses), ms: z.number().optional() });
const tool = z.object({
	kind: z.enum(['agent', 'editor']),
	name: z.string(),
	connectionId: z.string().optional(),
	allowed: z.boolean().optional(),
});

const part = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('text'), text: z.string(), signature: z.string().optional(), citations: z.array(citation).optional() }),
	z.object({ kind: z.literal('thinking'), text: z.string(), signature: z.string().optional(), redacted: z.string().optional() }),
	image,
	document,
	z.object({ kind: z.literal('audio'), mimeType: z.string(), data: z.string() }),
	file,
	z.object({
		kind: z.literal('toolCall'),
		id: z.string(),
		name: z.string(),
		input: z.string(),
		signature: z.string().optional(),
		run: toolRun.optional(),
	}),
	z.object({ kind: z.literal('toolResult'), id: z.string(), name: z.string(), output: z.string(), isError: z.boolean() }),
	z.object({
		kind: z.literal('stored'),
		name: z.string(),
		id: z.string().optional(),
		url: z.string().optional(),
		type: z.literal('image').optional(),
		picture: z.object({ mimeType: z.string(), data: z.string() }).optional(),
	}),
	z.object({ kind: z.literal('step'), id: z.string(), tool: z.string(), text: z.string(), input: z.string(), output: z.string() }),
	z.object({ kind: z.literal('form'), form, answer: z.string().optional() }),
	z.object({ kind: z.literal('other'), endpoint, type: z.string(), value: z.unknown() }),
]);

const count = z.number().optional();
const usage = z.object({ input: count, output: count, thinking: count, cached: count });
const reply = z.object({
	status: z.enum(['streaming', 'done', 'stopped', 'failed', 'interrupted']),
	endpoint,
	connection: z.string(),
	model: z.string(),
	firstTokenMs: count,
	durationMs: count,
	usage: usage.optional(),
	cost: z.object({ amount: z.number(), currency: z.string().regex(/^[A-Z]{3}$/) }).optional(),
	lastUsage: usage.optional(),
	finish: z.object({ reason: z.string(), text: z.string(), notable: z.boolean() }).optional(),
	conversationId: z.string().optional(),
	runId: z.string().optional(),
	messageId: z.string().optional(),
	feedback: z.object({ rating: z.enum(ratings), comment: z.string().optional() }).optional(),
	suggested: texts.optional(),
	notes: texts.optional(),
	problem: z.object({ reason: z.string(), message: z.string(), actions: z.array(z.enum(problemActions)) }).optional(),
});

const turn = z.object({
	id: z.string().min(1),
	parent: z.string().nullable(),
	role: z.enum(['user', 'assistant']),
	parts: z.array(part),
	// accept null, which older versions saved for times that couldn't be read
	at: z.number().catch(0),
	reply: reply.optional(),
	summary: z.string().optional(),
});

const settings = z.record(z.string(), z.unknown());
const createEndpointSchema = <T extends z.ZodType>(value: T) =>
	z.object(Object.fromEntries(endpointKinds.map(kind => [kind, value.optional()])));

/** Schema of a chat on disk and in an exported file. */
const transcriptSchema = z.object({
	version: z.literal(1),
	id: z.string().regex(/^[\w-]{1,64}$/),
	title: z.string(),
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
