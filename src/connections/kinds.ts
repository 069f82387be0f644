import * as vscode from 'vscode';
import type { ConnectionKind } from './connectionTypes.ts';

/** Kinds that a user can add. */
export type ServiceKind = Exclude<ConnectionKind, 'built-in'>;

/** Endpoint groups that can have a key of their own (contract, "Authentication"): A and B, C and D, E. */
export const keyGroups = ['agent', 'messages', 'content'] as const;
export type KeyGroup = (typeof keyGroups)[number];

/** What the editor needs to know of a kind of service. */
export interface KindFacts {
	readonly label: string;
	readonly detail: string;
	/** Base URLs to choose from, the likeliest first. */
	readonly baseUrls: readonly { readonly label: string; readonly url: string }[];
	/** Groups that the service has. */
	readonly groups: readonly KeyGroup[];
	/** Whether the service may run without a key, as local model servers do (wire facts 5). */
	readonly keyOptional: boolean;
	/** Whether it has agents, or generates text only. */
	readonly agents: boolean;
}

/** The kinds of service, in the order in which they are offered. */
export function serviceKinds(): Readonly<Record<ServiceKind, KindFacts>> {
	return {
		gateway: {
			label: vscode.l10n.t('Gateway'),
			detail: vscode.l10n.t('A service with agents, messages and content generation, such as this gateway on another machine.'),
			baseUrls: [],
			groups: keyGroups,
			keyOptional: false,
			agents: true,
		},
		dify: {
			label: 'Dify',
			detail: vscode.l10n.t('One published app, in the cloud or self-hosted. Its key belongs to that app.'),
			baseUrls: [{ label: vscode.l10n.t('Dify cloud'), url: 'https://api.dify.ai/v1' }],
			groups: ['agent'],
			keyOptional: false,
			agents: true,
		},
		anthropic: {
			label: 'Anthropic',
			detail: vscode.l10n.t('The Anthropic API: messages.'),
			baseUrls: [{ label: vscode.l10n.t('Anthropic API'), url: 'https://api.anthropic.com' }],
			groups: ['messages'],
			keyOptional: false,
			agents: false,
		},
		gemini: {
			label: 'Gemini',
			detail: vscode.l10n.t('The Gemini API: content generation.'),
			baseUrls: [{ label: vscode.l10n.t('Gemini API'), url: 'https://generativelanguage.googleapis.com' }],
			groups: ['content'],
			keyOptional: false,
			agents: false,
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
			groups: ['messages'],
			keyOptional: true,
			agents: false,
		},
	};
}

/** Groups of any kind of connection; the built-in gateway's key is its own affair. */
export function groupsOf(kind: ConnectionKind): readonly KeyGroup[] {
	return kind === 'built-in' ? [] : serviceKinds()[kind].groups;
}

/** A group as a user knows it. */
export function groupLabel(group: KeyGroup): string {
	return {
		agent: vscode.l10n.t('Agents and conversations'),
		messages: vscode.l10n.t('Messages and completions'),
		content: vscode.l10n.t('Content generation'),
	}[group];
}
