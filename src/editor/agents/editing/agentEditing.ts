import * as vscode from 'vscode';
import { type AgentDiagnostic, agentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { CleanItems } from '#agentFile/checks/cleanItems.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { AgentReadings } from '../files/agentReadings.ts';
import type { LastValues } from '../lastRuns/lastValues.ts';
import { type NodeText, nodeTexts } from '../lastRuns/nodeTexts.ts';
import { AgentNavigation } from '../navigation/agentNavigation.ts';
import { AgentCompletion } from './agentCompletion.ts';
import { AgentHovers } from './agentHovers.ts';
import { AgentQuickFixes } from './agentQuickFixes.ts';
import { AvailableModels } from './availableModels.ts';
import { enterRules } from './enterRules.ts';

/**
 * What the editor knows of agent files by itself, whether or not the gateway runs: completion, hovers, faults and what mends them, by the schema that the
 * engine's own schemas make. A chunk of its own, loaded with the first agent file.
 */
export class AgentEditing {
	/** What stands in the files: for the graph too. */
	readonly readings = new AgentReadings();
	readonly navigation = new AgentNavigation(this.readings);
	/** How lines go on, for all YAML: the editor asks for that by language, not by file. */
	readonly enterRules = enterRules(vscode.IndentAction.None);
	readonly completion: AgentCompletion;
	readonly hovers: AgentHovers;
	readonly quickFixes: AgentQuickFixes;
	readonly #schema: AgentSchema;
	readonly #models: AvailableModels;
	readonly #faults = new WeakMap<AgentReading, readonly AgentDiagnostic[]>();
	readonly #clean = new CleanItems();

	/** @param extensionPath folder of the extension, which has the schema */
	constructor(extensionPath: string, connections: Connections, lastValues: LastValues, log: vscode.LogOutputChannel) {
		const { readings } = this;
		this.#schema = AgentSchema.load(extensionPath);
		this.#models = new AvailableModels(connections, log);
		this.completion = new AgentCompletion({ extensionPath, readings, schema: this.#schema, models: this.#models });
		this.hovers = new AgentHovers(readings, this.#schema, lastValues);
		this.quickFixes = new AgentQuickFixes(document => this.faults(document));
	}

	/** The nodes of a file, or of a text that no document has, by their IDs. */
	async nodeTexts(file: vscode.TextDocument | string): Promise<ReadonlyMap<string, NodeText>> {
		return nodeTexts(typeof file === 'string' ? new AgentReading(file) : await this.readings.ready(file));
	}

	/** What is wrong with a file as far as its text tells by itself, in the order of the text. Problems, quick fixes and forms ask for the same one after the other. */
	async faults(document: vscode.TextDocument): Promise<readonly AgentDiagnostic[]> {
		const reading = await this.readings.ready(document);
		const faults = this.#faults.get(reading) ?? agentFaults(reading, this.#schema, vscode.l10n.t, this.#clean);
		this.#faults.set(reading, faults);
		return faults;
	}

	/** Names of models that agents can ask for. */
	models(): Promise<readonly string[]> {
		return this.#models.names();
	}
}
