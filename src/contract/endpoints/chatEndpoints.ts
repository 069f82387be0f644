import {
	chatMessagesQuerySchema,
	chatRequestSchema,
	completionRequestSchema,
	createChatMessagePageSchema,
	createChatResponseSchema,
	createCompletionResponseSchema,
} from '../chat.ts';
import {
	conversationsQuerySchema,
	createConversationPageSchema,
	createConversationSchema,
	deleteConversationRequestSchema,
	renameConversationRequestSchema,
} from '../conversations.ts';
import { createResultResponseSchema, stopRequestSchema } from '../workflows.ts';
import { defineEndpoints } from './endpoint.ts';

const agent = defineEndpoints('agent');

/** Conversations with agents (B), their messages, and completion apps (not in the contract). */
export const chatEndpoints = {
	deleteConversation: agent('DELETE', '/v1/agent/conversations/{id}', {
		summary: 'Delete conversation (B1).',
		paths: { dify: '/v1/conversations/{id}' },
		body: deleteConversationRequestSchema,
		response: createResultResponseSchema,
	}),
	listConversations: agent('GET', '/v1/agent/conversations', {
		summary: 'Get conversations (B2).',
		paths: { dify: '/v1/conversations' },
		query: conversationsQuerySchema,
		response: createConversationPageSchema,
	}),
	renameConversation: agent('POST', '/v1/agent/conversations/{id}/name', {
		summary: 'Rename conversation (B3).',
		paths: { dify: '/v1/conversations/{id}/name' },
		body: renameConversationRequestSchema,
		response: createConversationSchema,
		works: true,
	}),
	createChatMessage: agent('POST', '/v1/agent/chat-messages', {
		summary: 'Chat with an agent.',
		paths: { dify: '/v1/chat-messages' },
		body: chatRequestSchema,
		response: createChatResponseSchema,
		stream: 'on demand',
	}),
	stopChatMessage: agent('POST', '/v1/agent/chat-messages/{task}/stop', {
		summary: 'Stop generating a reply.',
		paths: { dify: '/v1/chat-messages/{task}/stop' },
		body: stopRequestSchema,
		response: createResultResponseSchema,
	}),
	listChatMessages: agent('GET', '/v1/agent/messages', {
		summary: 'Get the messages of a conversation.',
		paths: { dify: '/v1/messages' },
		query: chatMessagesQuerySchema,
		response: createChatMessagePageSchema,
	}),
	createCompletionMessage: agent('POST', '/v1/agent/completion-messages', {
		summary: 'Generate text with a completion app.',
		body: completionRequestSchema,
		response: createCompletionResponseSchema,
		stream: 'on demand',
	}),
	stopCompletionMessage: agent('POST', '/v1/agent/completion-messages/{task}/stop', {
		summary: 'Stop generating text.',
		body: stopRequestSchema,
		response: createResultResponseSchema,
	}),
};
