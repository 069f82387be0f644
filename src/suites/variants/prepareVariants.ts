import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type TextChange, trimChange } from '#agentFile/writing/textChanges.ts';
import type { FileScope } from '#base/files/fileScope.ts';
import { getFieldText } from '#base/records/plainValues.ts';
import type { Translate } from '#base/text/localization.ts';
import type { AgentSummary, PublishedAgent } from '#contract/agents.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import { readLocalText } from '#runs/request/localFiles.ts';
import { runGit } from '../git.ts';
import type { Suite, SuiteTarget, SuiteVariant } from '../suite.ts';
import { applyVariant, createVariantEdits, everyNode, type VariantChanges, VariantFault } from './applyVariant.ts';

/** A variant that is ready to run. */
export interface PreparedVariant {
	readonly name: string;
	/** Text of the agent, to run instead of its file. */
	readonly source?: string;
	/** Request to a model, to send instead of the suite's. */
	readonly target?: SuiteTarget;
}

/** Maximum size of an agent's text in bytes. */
const mostBytes = 10 * 1024 * 1024;

/** The service that variants run on. */
export interface VariantService {
	readonly name: string;
	readonly agents: readonly AgentSummary[] | undefined;
	/** True for the built-in gateway, which runs the text of an agent. */
	readonly isBuiltIn: boolean;
	readonly readPublished: (agent: string) => Promise<PublishedAgent>;
}

/**
 * Reads the texts of a suite's variants and applies their changes. Rejects with a {@link VariantFault} that names the variant if one of them
 * can't be made, before anything runs.
 */
export async function prepareVariants(suite: Suite, service: VariantService, t: Translate): Promise<readonly PreparedVariant[]> {
	const prepared: PreparedVariant[] = [];
	for (const variant of suite.matrix?.variants ?? []) {
		try {
			prepared.push(await prepareVariant(variant, suite, service, t));
		} catch (error) {
			throw new VariantFault(t("Couldn't make the variant '{0}'. {1}", variant.name, (error as Error).message), { cause: error });
		}
	}
	return prepared;
}

async function prepareVariant(variant: SuiteVariant, suite: Suite, service: VariantService, t: Translate): Promise<PreparedVariant> {
	const { name } = variant;
	const scope = { folder: path.dirname(suite.file), root: suite.root };
	const changes: VariantChanges = { ...variant, prompts: await readPrompts(variant, scope, t) };
	const { target } = suite.matrix!;
	if (target.kind === 'chat') {
		return { name, target: changeRequest(target, variant.agent, changes, t) };
	}
	if (!service.isBuiltIn) {
		throw new VariantFault(t("'{0}' can't run variants of agents. Only the built-in gateway does.", service.name));
	}
	return { name, source: applyVariant(await readVariantText(variant.agent, target.model, service, scope, t), changes, t) };
}

/**
 * Returns the edits that make the text of an agent file that of a variant. A variant of the current file changes only its fields; of another
 * text, it replaces what differs. Rejects with a {@link VariantFault} if the variant can't be made.
 */
export async function createAgentEdits(
	text: string,
	variant: SuiteVariant,
	suite: Suite,
	service: VariantService,
	t: Translate,
): Promise<readonly TextChange[]> {
	const scope = { folder: path.dirname(suite.file), root: suite.root };
	const changes: VariantChanges = { ...variant, prompts: await readPrompts(variant, scope, t) };
	const { target } = suite.matrix!;
	if (target.kind === 'chat') {
		throw new VariantFault(t("'{0}' has no agent file, because the suite has a 'chat'.", variant.name));
	}
	if (variant.agent === 'current') {
		return createVariantEdits(text, changes, t);
	}
	const source = applyVariant(await readVariantText(variant.agent, target.model, service, scope, t), changes, t);
	const change = trimChange(text, { offset: 0, length: text.length, text: source });
	return change ? [change] : [];
}

async function readPrompts({ prompts }: SuiteVariant, scope: FileScope, t: Translate): Promise<Readonly<Record<string, string>>> {
	const read = Object.entries(prompts).map(
		async ([key, prompt]) => [key, typeof prompt === 'string' ? prompt : await readLocalText(prompt.$file, scope, t)] as const,
	);
	return Object.fromEntries(await Promise.all(read));
}

/** Applies the changes to a request: the model, its parameters and the system prompt. */
function changeRequest(
	target: Extract<SuiteTarget, { kind: 'chat' }>,
	agent: string,
	{ models, parameters, prompts }: VariantChanges,
	t: Translate,
): SuiteTarget {
	const other = [...Object.keys(models), ...Object.keys(parameters)].find(key => key !== everyNode);
	if (other !== undefined || agent !== 'current') {
		throw new VariantFault(t("'{0}' needs an agent. The suite has a 'chat'.", other ?? 'agent'));
	}
	const { user, ...roles } = prompts;
	const messages = user === undefined ? undefined : replaceLastMessage(target.body['messages'], user);
	const prompt = user !== undefined && !messages ? 'user' : Object.keys(roles).find(key => key !== 'system');
	if (prompt !== undefined || (target.endpoint !== 'messages' && Object.keys(prompts).length > 0)) {
		throw new VariantFault(t("The request has no prompt '{0}'.", prompt ?? Object.keys(prompts)[0]!));
	}
	const model = models[everyNode];
	const fields: Record<string, unknown> = { ...target.body, ...parameters[everyNode], ...roles, ...(messages && { messages }) };
	// a variant without a system prompt has an empty one, which services refuse
	const changed = Object.entries(fields).filter(([name, value]) => value !== null && !(name === 'system' && value === ''));
	return {
		...target,
		...(model !== undefined && { model: typeof model === 'string' ? model : model.name }),
		body: Object.fromEntries(changed),
	};
}

/** Replaces the text of the last message of the user; `undefined` if there's none. */
function replaceLastMessage(messages: unknown, text: string): readonly unknown[] | undefined {
	const list = Array.isArray(messages) ? messages : [];
	const last = list.findLastIndex(message => getFieldText(message, 'role') === 'user');
	return last < 0 ? undefined : list.with(last, { ...list[last], content: text });
}

/** Reads the text that a variant starts from: `current`, `published`, `git:REVISION`, or a file. */
async function readVariantText(
	from: string,
	model: string,
	{ agents, readPublished }: VariantService,
	scope: FileScope,
	t: Translate,
): Promise<string> {
	if (from === 'published') {
		const { source } = await readPublished(model);
		if (source === null) {
			throw new VariantFault(t("'{0}' isn't published.", model));
		}
		return source;
	}
	if (from !== 'current' && !from.startsWith('git:')) {
		return readLocalText(from, scope, t, mostBytes);
	}
	const file = agents && findAgent(agents, model)?.file;
	if (!file) {
		throw new VariantFault(t("'{0}' has no file on this machine.", model));
	}
	return from === 'current' ? readFile(file, 'utf8') : readRevision(file, from.slice('git:'.length), t);
}

/** Reads a file as of a Git revision, without running filters that the repository configures. */
async function readRevision(file: string, revision: string, t: Translate): Promise<string> {
	const { dir, base } = path.parse(file);
	try {
		return await runGit(dir, ['cat-file', 'blob', `${revision}:./${base}`]);
	} catch (error) {
		const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
		const [why = ''] = (stderr ?? '').trim().split('\n');
		throw new VariantFault(
			code === 'ENOENT' ? t("Couldn't find 'git'.") : t("Couldn't read the revision '{0}' of '{1}'. {2}", revision, base, why),
			{ cause: error },
		);
	}
}
