import * as z from 'zod';

/** What a webview may send; anything else is dropped. */
const inspectorMessageSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	/** The page missed a change: it asks for the whole. */
	z.object({ type: z.literal('resync') }),
	z.object({ type: z.literal('detail'), id: z.string().max(1000) }),
	/** The graph is to be shown. */
	z.object({ type: z.literal('graph') }),
	z.object({ type: z.literal('nodesView'), view: z.enum(['timeline', 'graph']) }),
	z.object({ type: z.literal('copy'), text: z.string().max(4_000_000) }),
	z.object({
		type: z.literal('command'),
		command: z.enum(['stop', 'runAgain', 'compare', 'open', 'openOutputs', 'saveOutputs', 'copyAsCurl', 'ask']),
	}),
]);

/** A message of the inspector's page that was checked. */
export type FromInspector = z.infer<typeof inspectorMessageSchema>;

/** The message, or undefined for one that is not of the protocol. */
export function parseInspectorMessage(message: unknown): FromInspector | undefined {
	const result = inspectorMessageSchema.safeParse(message);
	return result.success ? result.data : undefined;
}
