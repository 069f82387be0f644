import type { AgentModels } from '../../agentModels/agentModels.ts';
import type { Route } from '../../server/route.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { chatCompletionRoutes } from './chatCompletions.ts';
import { embeddingRoutes } from './embeddings.ts';
import { textCompletionRoutes } from './textCompletions.ts';

/** Routes of OpenAI's endpoints, for the many clients that speak only this protocol. `agents`: those offered as models. */
export function openAiRoutes(generation: TextGeneration, agents?: AgentModels): readonly Route[] {
	return [...chatCompletionRoutes(generation, agents), ...textCompletionRoutes(generation), ...embeddingRoutes(generation)];
}
