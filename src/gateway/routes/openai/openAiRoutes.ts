import type { AgentModels } from '../../agentModels/agentModels.ts';
import type { Route } from '../../server/route.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { createChatCompletionRoutes } from './chatCompletions.ts';
import { createEmbeddingRoutes } from './embeddings.ts';
import { createTextCompletionRoutes } from './textCompletions.ts';

/**
 * Routes of OpenAI's endpoints, for the many clients that only support this protocol.
 * @param agents the agents offered as models
 */
export function createOpenAiRoutes(generation: TextGeneration, agents?: AgentModels): readonly Route[] {
	return [
		...createChatCompletionRoutes(generation, agents),
		...createTextCompletionRoutes(generation),
		...createEmbeddingRoutes(generation),
	];
}
