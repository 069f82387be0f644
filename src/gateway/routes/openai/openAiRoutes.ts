import type { TextGeneration } from '../../models/textGeneration.ts';
import type { Route } from '../../server/route.ts';
import { chatCompletionRoutes } from './chatCompletions.ts';
import { embeddingRoutes } from './embeddings.ts';
import { textCompletionRoutes } from './textCompletions.ts';

/** OpenAI's endpoints, for the many programs that speak its protocol and nothing else. */
export function openAiRoutes(generation: TextGeneration): readonly Route[] {
	return [...chatCompletionRoutes(generation), ...textCompletionRoutes(generation), ...embeddingRoutes(generation)];
}
