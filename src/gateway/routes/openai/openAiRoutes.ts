import type { TextGeneration } from '../../models/textGeneration.ts';
import type { ResponseHistory } from '../../responses/responseHistory.ts';
import type { Route } from '../../server/route.ts';
import { chatCompletionRoutes } from './chatCompletions.ts';
import { responseRoutes } from './responses.ts';

/** OpenAI's endpoints, for the many programs that speak its protocol and nothing else. */
export function openAiRoutes(generation: TextGeneration, responses: ResponseHistory): readonly Route[] {
	return [...chatCompletionRoutes(generation), ...responseRoutes(generation, responses)];
}
