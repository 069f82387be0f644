import * as vscode from 'vscode';
import type { KeyGroup, ServiceKind } from '#contract/serviceKinds.ts';

/** User-visible facts about a kind of service. */
interface KindFacts {
	readonly label: string;
	readonly detail: string;
	/** Prompt of the input box for the base URL. */
	readonly baseUrlHelp: string;
	readonly exampleUrl: string;
	/** Base URLs to choose from, most common first. */
	readonly baseUrls: readonly { readonly label: string; readonly url: string }[];
}

/** Returns the facts about each kind of service, in the order to offer them. */
export function getKindFacts(): Readonly<Record<ServiceKind, KindFacts>> {
	return {
		gateway: {
			label: vscode.l10n.t('Gateway'),
			detail: vscode.l10n.t(
				'A service with agents, messages and content generation, such as an Agent Workbench gateway on another machine.',
			),
			baseUrlHelp: formatBaseUrlHelp('/v1/messages'),
			exampleUrl: 'https://gateway.example.com',
			baseUrls: [],
		},
		dify: {
			label: 'Dify',
			detail: vscode.l10n.t('Cloud or self-hosted: add one app by its API key, or sign in to add all apps.'),
			baseUrlHelp: vscode.l10n.t("Base URL of the API, shown in Dify under 'API Access'. Usually ends with {0}.", '/v1'),
			exampleUrl: 'https://dify.example.com/v1',
			baseUrls: [{ label: vscode.l10n.t('Dify Cloud'), url: 'https://api.dify.ai/v1' }],
		},
		anthropic: {
			label: 'Anthropic',
			detail: vscode.l10n.t('Messages API of Anthropic (Claude models).'),
			baseUrlHelp: formatBaseUrlHelp('/v1/messages'),
			exampleUrl: 'https://api.anthropic.com',
			baseUrls: [{ label: vscode.l10n.t('Anthropic API'), url: 'https://api.anthropic.com' }],
		},
		gemini: {
			label: 'Gemini',
			detail: vscode.l10n.t('Google Gemini API.'),
			baseUrlHelp: formatBaseUrlHelp('/v1beta/models'),
			exampleUrl: 'https://generativelanguage.googleapis.com',
			baseUrls: [{ label: vscode.l10n.t('Gemini API'), url: 'https://generativelanguage.googleapis.com' }],
		},
		openai: {
			label: vscode.l10n.t('OpenAI-compatible service'),
			detail: vscode.l10n.t('Services with /v1/chat/completions, such as OpenAI, Groq or vLLM.'),
			baseUrlHelp: vscode.l10n.t('Base URL of the service. Usually ends with {0}.', '/v1'),
			exampleUrl: 'https://llm.example.com/v1',
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
			detail: vscode.l10n.t('Servers with /v1/messages, such as Ollama, LM Studio or vLLM.'),
			baseUrlHelp: formatBaseUrlHelp('/v1/messages'),
			exampleUrl: 'http://localhost:11434',
			baseUrls: [
				{ label: 'Ollama', url: 'http://localhost:11434' },
				{ label: 'LM Studio', url: 'http://localhost:1234' },
				{ label: 'llama.cpp', url: 'http://localhost:8080' },
				{ label: 'vLLM', url: 'http://localhost:8000' },
			],
		},
	};
}

function formatBaseUrlHelp(example: string): string {
	return vscode.l10n.t('Base URL of the service, without paths such as {0}.', example);
}

/** Returns the label of an endpoint group. */
export function getKeyGroupLabel(group: KeyGroup): string {
	return {
		agent: vscode.l10n.t('Agents and conversations'),
		messages: vscode.l10n.t('Messages and completions'),
		content: vscode.l10n.t('Content generation'),
	}[group];
}
