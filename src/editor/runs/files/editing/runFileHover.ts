import { stat } from 'node:fs/promises';
import { getLocation, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { findProperty } from '#base/text/textFaults.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import { describeExpected, findAgent } from '#runs/request/agentCheck.ts';
import { getTrigger, selectTrigger } from '#runs/request/agentTrigger.ts';
import { resolveLocalFile } from '#runs/request/localFiles.ts';
import { getModeLabel } from '../../../platform/difyModeText.ts';
import { getFileScope } from '../../../platform/fileScopes.ts';
import { formatNumber } from '../../../platform/format.ts';
import { joinParts } from '../../../platform/runWording.ts';
import { escapeMarkdown, toCodeText } from '../../../platform/wording.ts';
import type { RunFileService } from '../runFileService.ts';

/** Provides hovers in run files for the agent with its inputs, a single input, a mocked node, and a referenced file. */
export class RunFileHover implements vscode.HoverProvider {
	readonly #files: RunFileService;

	constructor(files: RunFileService) {
		this.#files = files;
	}

	async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
		const text = document.getText();
		const location = getLocation(text, document.offsetAt(position));
		const [top, name, inner] = location.path;
		if (inner === '$file' && !location.isAtPropertyKey && typeof location.previousNode?.value === 'string') {
			return new vscode.Hover(await formatLocalFile(location.previousNode.value, document.uri));
		}
		if (top !== 'model' && top !== 'inputs' && top !== 'trigger' && top !== 'mocks') {
			return undefined;
		}
		const connection = this.#files.getConnection(document.uri);
		const agents = await this.#files.getKnownAgents(connection);
		const root = parseTree(text);
		const listed = findAgent(agents ?? [], String(findProperty(root, 'model')?.value ?? ''));
		if (!listed) {
			return undefined;
		}
		if (top === 'mocks') {
			const graph = location.path.length === 2 ? await this.#files.readGraph(document, agents) : undefined;
			const node = graph?.nodes.find(({ id }) => id === name);
			return (
				node &&
				new vscode.Hover(`**${escapeMarkdown(node.title)}** · ${escapeMarkdown(joinParts(node.type, vscode.l10n.t('mocked, not run')))}`)
			);
		}
		const agent = selectTrigger(listed, getTrigger(root));
		if (top === 'trigger') {
			const trigger = location.isAtPropertyKey ? undefined : listed.triggers?.find(({ id }) => id === getTrigger(root));
			return trigger && new vscode.Hover(`**${escapeMarkdown(trigger.title)}** · ${escapeMarkdown(trigger.type)}`);
		}
		if (location.path.length === 1 && !location.isAtPropertyKey && top === 'model') {
			return new vscode.Hover(formatAgentHover(agent, connection.name));
		}
		const variable = top === 'inputs' && location.path.length === 2 ? agent.variables.find(each => each.variable === name) : undefined;
		return variable && new vscode.Hover(formatVariableHover(variable));
	}
}

function formatAgentHover(agent: AgentSummary, connection: string): vscode.MarkdownString {
	const state = agent.error
		? vscode.l10n.t("can't run")
		: !agent.published
			? vscode.l10n.t('not published')
			: agent.draft
				? vscode.l10n.t('changed since last published')
				: vscode.l10n.t('published');
	const lines = [
		`**${escapeMarkdown(agent.name)}** · ${escapeMarkdown(getModeLabel(agent.mode))} · ${state} · ${escapeMarkdown(connection)}`,
		...(agent.description ? [escapeMarkdown(agent.description)] : []),
		...(agent.error ? [escapeMarkdown(agent.error)] : []),
		agent.variables
			.map(({ variable, type, required, label }) => {
				const facts = [type, ...(required ? [vscode.l10n.t('required')] : []), ...(label && label !== variable ? [label] : [])];
				return `- \`${toCodeText(variable)}\` ${escapeMarkdown(facts.join(', '))}`;
			})
			.join('\n'),
	];
	return new vscode.MarkdownString(lines.join('\n\n'));
}

function formatVariableHover(variable: AgentVariable): vscode.MarkdownString {
	const { variable: name, label, type, required, default: given } = variable;
	const facts = [type, required ? vscode.l10n.t('required') : vscode.l10n.t('optional')];
	const lines = [
		`**${escapeMarkdown(name)}** · ${facts.map(escapeMarkdown).join(' · ')}`,
		...(label && label !== name ? [escapeMarkdown(label)] : []),
		vscode.l10n.t('Expected value: {0}', escapeMarkdown(describeExpected(variable, vscode.l10n.t))),
		...(given === undefined || given === null || given === ''
			? []
			: [vscode.l10n.t('Default: {0}', escapeMarkdown(JSON.stringify(given)))]),
	];
	return new vscode.MarkdownString(lines.join('\n\n'));
}

async function formatLocalFile(reference: string, uri: vscode.Uri): Promise<vscode.MarkdownString> {
	try {
		const file = resolveLocalFile(reference, getFileScope(uri), vscode.l10n.t);
		const { size } = await stat(file);
		const link = vscode.Uri.file(file);
		const bytes = size === 1 ? vscode.l10n.t('1 byte') : vscode.l10n.t('{0} bytes', formatNumber(size));
		return new vscode.MarkdownString(
			`[${escapeMarkdown(vscode.workspace.asRelativePath(link))}](${link.toString()}) · ${escapeMarkdown(bytes)}`,
		);
	} catch (error) {
		return new vscode.MarkdownString(escapeMarkdown(getErrorMessage(error)));
	}
}
