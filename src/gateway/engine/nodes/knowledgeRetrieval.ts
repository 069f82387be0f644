import * as z from 'zod';
import { NodeError, nodeType } from './nodeType.ts';

/** Searches a knowledge base, which only a Dify deployment has. */
export const knowledgeRetrieval = nodeType({
	type: 'knowledge-retrieval',
	schema: z.looseObject({}),
	run() {
		throw new NodeError(
			'Knowledge bases are not available here; give the agent a Dify route in the gateway configuration to run it where they are',
			'KnowledgeRetrievalNodeError',
		);
	},
});
