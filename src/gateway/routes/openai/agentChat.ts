import { agentChatRequestSchema } from '#contract/openai/chatCompletions.ts';
import { ToolNames } from '#models/fit/toolNames.ts';
import { createChatPrompt } from '#models/translate/chatCompletions/chatPrompt.ts';
import { createChatReply } from '#models/translate/chatCompletions/chatReply.ts';
import { ChatReplyWriter } from '#models/translate/chatCompletions/chatReplyWriter.ts';
import { isMoreThanOne, refuseUnsupported } from '#models/translate/openai/openAiSettings.ts';
import type { AgentModels } from '../../agentModels/agentModels.ts';
import type { Exchange } from '../../server/exchange.ts';
import { streamReply } from '../../textGeneration/streamReply.ts';
import { checkOpenAiBody, type OpenAiRequest } from './openAiRequest.ts';

/** Responds to a chat completion by running the model's agent. The run stops if the caller disconnects. */
export async function respondWithAgentChat(agents: AgentModels, exchange: Exchange, { body, model }: OpenAiRequest): Promise<void> {
	const request = checkOpenAiBody(agentChatRequestSchema, body);
	const { inputs, conversation_id: conversationId, user, stream, stream_options: options } = request;
	const { signal } = exchange;
	refuseUnsupported({ n: isMoreThanOne(request.n) });
	// the agent has its own settings and tools, so those of the request are ignored
	const reply = await agents.prepareReply(model, createChatPrompt(request.messages, []), { inputs, conversationId, user }, signal);
	const more = reply.conversationId === undefined ? {} : { conversation_id: reply.conversationId };
	if (stream === true) {
		const writer = new ChatReplyWriter(model, options?.include_usage === true, more);
		await streamReply(exchange, { origin: '' }, reply.streamParts(), writer, {
			names: new ToolNames({ prompt: [] }, 'offline'),
			warnings: [],
		});
		return;
	}
	const result = await reply.getWholeReply();
	if (!signal.aborted) {
		exchange.sendJson(200, { ...createChatReply(result, model), ...more });
	}
}
