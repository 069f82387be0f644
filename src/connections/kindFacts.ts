import * as vscode from 'vscode';
import type { KeyGroup, ServiceKind } from './kinds.ts';

/** What a user reads of a kind of service. */
export interface KindFacts {
	readonly label: string;
	readonly detail: string;
	/** Base URLs to choose from, the likeliest first. */
	readonly baseUrls: readonly { readonly label: string; readonly url: string }[];
}

/** What users read of each kind, in the order in which the kinds are offered. */
export function kindFacts(): Readonly<Record<ServiceKind, KindFacts>> {
	return {
		gateway: {
			label: vscode.l10n.t('Gateway'),
			detail: vscode.l10n.t('A service with agents, messages and content generation, such as this gateway on another machine.'),
			baseUrls: [],
		},
		dify: {
			label: 'Dify',
			detail: vscode.l10n.t('One published app by its key, or all apps of a workspace by signing in; in the cloud or self-hosted.'),
			baseUrls: [{ label: vscode.l10n.t('Dify cloud'), url: 'https://api.dify.ai/v1' }],
		},
		anthropic: {
			label: 'Anthropic',
			detail: vscode.l10n.t('The Anthropic API: messages.'),
			baseUrls: [{ label: vscode.l10n.t('Anthropic API'), url: 'https://api.anthropic.com' }],
		},
		gemini: {
			label: 'Gemini',
			detail: vscode.l10n.t('The Gemini API: content generation.'),
			baseUrls: [{ label: vscode.l10n.t('Gemini API'), url: 'https://generativelanguage.googleapis.com' }],
		},
		openai: {
			label: vscode.l10n.t('OpenAI-compatible service'),
			detail: vscode.l10n.t('A service with /v1/chat/completions: OpenAI, OpenRouter, Groq, DeepSeek, vLLM, LM Studio and others.'),
			baseUrls: [
				{ label: 'OpenAI', url: 'https://api.openai.com/v1' },
				{ label: 'OpenRouter', url: 'https://openrouter.ai/api/v1' },
				{ label: 'Ollama', url: 'http://localhost:11434/v1' },
				{ label: 'LM Studio', url: 'http://localhost:1234/v1' },
				{ label: 'llama.cpp', url: 'http://localhost:8080/v1' },
				{ label: 'vLLM', url: 'http://localhost:8000/v1' },
			],
		},
		'anthropic-compatible': {
			label: vscode.l10n.t('Anthropic-compatible server'),
			detail: vscode.l10n.t('A server with /v1/messages: Ollama, LM Studio, llama.cpp, vLLM and others.'),
			baseUrls: [
				{ label: 'Ollama', url: 'http://localhost:11434' },
				{ label: 'LM Studio', url: 'http://localhost:1234' },
				{ label: 'llama.cpp', url: 'http://localhost:8080' },
				{ label: 'vLLM', url: 'http://localhost:8000' },
			],
		},
	};
}

/** A group as a user knows it. */
export function groupLabel(group: KeyGroup): string {
	return {
		agent: vscode.l10n.t('Agents and conversations'),
		messages: vscode.l10n.t('Messages and completions'),
		content: vscode.l10n.t('Content generation'),
	}[group];
}
