import fs from 'node:fs';
import path from 'node:path';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import type { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { filterGatewayFaults } from '#agentFile/checks/gatewayFaults.ts';
import { loadAgentSchema } from '#agentFile/checks/loadAgentSchema.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { fillPlaceholders as t } from '#base/text/fillPlaceholders.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import { formatJsonPath } from '#base/text/textFaults.ts';
import type { GivenArguments } from '../arguments/givenArguments.ts';
import { packageFolder } from '../assets.ts';
import { CliFault, type ExitCode, exitCodes } from '../cliFault.ts';
import { findFiles } from '../foundFiles.ts';
import type { Interrupt } from '../interrupt.ts';
import { colorText, toJsonLine, toPlainLine, writeOutput } from '../output.ts';
import { readNamedText } from '../readFailure.ts';
import { formatGithubLine } from '../reports/githubLines.ts';
import { openService, type Service } from '../service/openService.ts';
import { readGatewayOptions } from '../service/serviceOptions.ts';

/** A problem of an agent file, for display. */
interface ShownFault {
	readonly file: string;
	/** Starts at 1. 0 if unknown. */
	readonly line: number;
	/** Path of the value in the file, such as `workflow.graph.nodes[0].data`. */
	readonly path: string;
	readonly severity: 'error' | 'warning';
	readonly message: string;
}

/** `agent-workbench check`: reports problems found in the text of agent files, and problems that the gateway finds. */
export async function runCheck(given: GivenArguments, interrupt: Interrupt): Promise<ExitCode> {
	const files = findAgentFiles(given);
	const schema = loadAgentSchema(packageFolder);
	const service = await openService(given, files, interrupt);
	let errors = 0;
	let warnings = 0;
	try {
		for (const file of files) {
			if (interrupt.signal.aborted) {
				return exitCodes.interrupted;
			}
			const faults = await findAgentFileFaults(file, schema, service);
			errors += faults.filter(({ severity }) => severity === 'error').length;
			warnings += faults.filter(({ severity }) => severity === 'warning').length;
			await writeOutput(faults.map(fault => formatFault(fault, given)).join(''));
		}
	} finally {
		await service.close();
	}
	if (!given.has('json')) {
		await writeOutput(
			`${formatQuantity(files.length, 'agent')}: ${formatQuantity(errors, 'error')}, ${formatQuantity(warnings, 'warning')}\n`,
		);
	}
	return errors > 0 || (given.has('strict') && warnings > 0) ? exitCodes.fault : exitCodes.passed;
}

async function findAgentFileFaults(file: string, schema: AgentSchema, { client }: Service): Promise<ShownFault[]> {
	const text = readNamedText(file);
	const reading = new AgentReading(text);
	const own = findAgentFaults(reading, schema, t);
	const { faults } = await client.checkAgent(path.basename(file).replace(/\.ya?ml$/i, ''), text);
	return [
		...own.map(fault => ({ ...fault, file, line: reading.getLineAt(fault.offset), path: formatJsonPath(fault.path) })),
		...filterGatewayFaults(own, faults).map(fault => ({ ...fault, file })),
	].sort((a, b) => a.line - b.line);
}

function formatFault({ file, line, path: place, severity, message }: ShownFault, given: GivenArguments): string {
	if (given.has('json')) {
		return toJsonLine({ file, line, path: place, severity, message });
	}
	// a message that contains the field's path doesn't need it as a prefix
	const sentence = place === '' || message.includes(place) ? message : `${place}: ${message}`;
	const relative = path.relative('', file);
	const text = `${toPlainLine(`${relative}:${line}`)}: ${colorText(severity === 'error' ? 'bad' : 'doubtful', severity)}: ${toPlainLine(sentence)}\n`;
	return given.has('github') ? text + formatGithubLine({ level: severity, file, line, title: 'Agent file', message: sentence }) : text;
}

/** Resolves paths, globs and names of agents. Names are looked up in the agents folders. */
function findAgentFiles(given: GivenArguments): string[] {
	const folders = readGatewayOptions(given, []).agents;
	return given.operands.flatMap(operand => {
		const named = folders.flatMap(folder => ['.yml', '.yaml'].map(ending => path.join(folder, `${operand}${ending}`)));
		const found = [...findFiles([operand]), ...named.filter(file => fs.existsSync(file))];
		if (found.length === 0) {
			throw new CliFault(`check ${operand}: expected an agent file, a glob, or the name of an agent in --agents.`);
		}
		return found;
	});
}
