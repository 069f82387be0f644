import path from 'node:path';
import { createFileAtomically } from '#base/files/createFile.ts';
import { replaceNamedFile } from '#base/files/replaceFile.ts';
import { describeWriteFailure } from '#base/files/writeFailure.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import { canCreateValue } from '#suites/generation/inputRows.ts';
import { createRowSchema, writeModelRows } from '#suites/generation/modelRows.ts';
import { mostPastRuns, readPastRuns } from '#suites/generation/pastRuns.ts';
import { type GeneratedRow, sampleRuns } from '#suites/generation/runSample.ts';
import type { GivenArguments } from '../../arguments/givenArguments.ts';
import { CliFault, type ExitCode, exitCodes } from '../../cliFault.ts';
import type { Interrupt } from '../../interrupt.ts';
import { printLine, toJsonLine, toPlainLine, writeOutput } from '../../output.ts';
import { openService, type Service } from '../../service/openService.ts';
import { listServiceAgents } from '../../service/requestParts.ts';
import { makeInputRows } from './inputs.ts';

const defaultCount = 20;

/** Rows to show or write, and what to tell about them. */
export interface MadeRows {
	readonly rows: readonly GeneratedRow[];
	readonly notes: readonly string[];
	/** True if the agent failed. */
	readonly hasFailures?: boolean;
}

/** `agent-workbench dataset …`: makes rows for the dataset of a suite, and shows or writes them. Rejects with a `CliFault`. */
export async function runDataset(command: string, given: GivenArguments, interrupt: Interrupt): Promise<ExitCode> {
	const service = await openService(given, [], interrupt);
	try {
		const { rows, notes, hasFailures } = await interrupt.runPreparation(() => makeRows(command, given, service, interrupt.signal));
		for (const note of notes) {
			printLine(toPlainLine(note));
		}
		const out = given.getValue('out');
		if (out === undefined) {
			await writeOutput(rows.map(row => toJsonLine(row)).join(''));
			printLine(rows.length > 0 ? 'This is a preview. Write the rows to a file with --out FILE.' : 'There are no rows.');
		} else if (rows.length === 0 && command !== 'dataset inputs') {
			throw new CliFault(`--out ${out}: there are no rows, so the file wasn't written.`);
		} else {
			await writeRows(out, rows, given.has('overwrite'));
			printLine(`${toPlainLine(out)}: ${formatQuantity(rows.length, 'row')}`);
		}
		return hasFailures ? exitCodes.checkFailed : exitCodes.passed;
	} finally {
		await service.close();
	}
}

async function makeRows(command: string, given: GivenArguments, service: Service, signal: AbortSignal): Promise<MadeRows> {
	const name = given.operands[0]!;
	const count = given.getCount('count') ?? defaultCount;
	const seed = given.getValue('seed') ?? '1';
	if (command === 'dataset runs') {
		const runs = await readPastRuns(service.client, name, given.getCount('last') ?? mostPastRuns, { signal });
		const { rows, duplicates, withFiles, masked, strata } = await sampleRuns(runs, { count, seed, expect: given.has('expect') });
		return {
			rows,
			notes: [
				`${name}: ${formatQuantity(runs.length, 'run')} with ${formatQuantity(strata, 'combination')} of status and path; ${formatQuantity(rows.length, 'row')}`,
				...(duplicates > 0 ? [`Skipped with nearly the same inputs: ${duplicates}`] : []),
				...(withFiles > 0 ? [`Skipped with files, which may be gone: ${withFiles}`] : []),
				...(masked > 0
					? [`Masked personal data: ${formatQuantity(masked, 'value')}. Check the rows, because not all of it is recognized.`]
					: []),
			],
		};
	}
	const agent = await findServiceAgent(service, name);
	if (command === 'dataset inputs') {
		return makeInputRows(agent, service, { count, seed, isRun: given.has('run'), mocksFile: given.getValue('mocks'), signal });
	}
	const model = given.getValue('model') ?? (await service.client.listMessagesModels({ signal }))[0]?.id;
	if (model === undefined) {
		throw new CliFault(`dataset model: ${service.name} lists no models. Choose one with --model NAME.`);
	}
	const schema = createRowSchema(agent, given.getValue('about'));
	const { rows, unfit, tokens } = await writeModelRows(schema, { model, count }, body => service.client.createMessage(body, { signal }));
	return {
		rows,
		notes: [
			`${model}: ${formatQuantity(rows.length, 'row')}, ${formatQuantity(tokens, 'token')}`,
			...(unfit > 0 ? [`Skipped because they don't fit the inputs of ${name}: ${unfit}`] : []),
		],
	};
}

/** Finds an agent whose inputs are known. Rejects with a {@link CliFault}. */
async function findServiceAgent(service: Service, name: string): Promise<AgentSummary> {
	const agents = await listServiceAgents(service);
	const agent = agents && findAgent(agents, name);
	if (!agent) {
		throw new CliFault(
			agents
				? `${name}: no such agent. Expected one of ${agents.map(each => each.name).join(', ') || 'none'}.`
				: `${service.name} doesn't list its agents, so the inputs of ${name} aren't known.`,
		);
	}
	const file = agent.variables.find(variable => !canCreateValue(variable));
	if (file) {
		throw new CliFault(`${name}: the input ${file.variable} is a file, which can't be generated.`);
	}
	return agent;
}

async function writeRows(out: string, rows: readonly GeneratedRow[], overwrite: boolean): Promise<void> {
	if (!out.endsWith('.jsonl')) {
		throw new CliFault(`--out ${out}: expected a name that ends in .jsonl.`);
	}
	const text = rows.map(row => `${JSON.stringify(row)}\n`).join('');
	try {
		if (overwrite) {
			await replaceNamedFile(path.resolve(out), text);
			return;
		}
		if (await createFileAtomically(path.resolve(out), text, 0o666, 0o777)) {
			return;
		}
	} catch (error) {
		throw new CliFault(`--out ${out}: couldn't write the file: ${describeWriteFailure(error)}.`);
	}
	throw new CliFault(`--out ${out}: the file exists. Choose another one, or add --overwrite.`);
}
