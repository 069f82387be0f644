import type { BenchTable } from './harness/table.ts';
import { closeBenchRuns } from './suites/benchSuite.ts';
import { caseCost } from './suites/caseCost.ts';
import { hereAndThere } from './suites/hereAndThere.ts';
import { matrixRate } from './suites/matrixRate.ts';
import { matrixTable } from './suites/matrixTable.ts';
import { resultsTable } from './suites/resultsTable.ts';
import { rowMemory } from './suites/rowMemory.ts';
import { rowRate } from './suites/rowRate.ts';

/** The budget table "Suites". */
export const table: BenchTable = {
	name: 'suites',
	measures: [caseCost, rowRate, rowMemory, hereAndThere, matrixRate, matrixTable, resultsTable],
	close: closeBenchRuns,
};
