/**
 * Patterns of the test files that `npm test` leaves to `npm run test:rest`: attacks, large amounts, interrupted processes, and the parts of
 * the UI beyond the main journeys.
 */
export const restFiles: readonly string[] = [
	'test/ui/**/!(journeys).test.ts',
	'test/host/{chat/chatPanels,connections/builtInGateway,explorer/manyRuns,runs/inspector}.test.ts',
	'test/faults/!(health|http|httpRequest|offlineModel|openAi|replies|templates).test.ts',
	'test/cli/{datasets,deployment,dify,judges,matrix,package,recordings,suites,trend}.test.ts',
	'test/contract/gateway/{crash,flood,knowledge,process}.test.ts',
	'test/contract/{suites/{killed,largeRecording},routes/garbage,dify/hostile}.test.ts',
	'test/unit/**/{hostile*,faults,random*,endless*,long*,many*,*Budget}.test.ts',
	'test/unit/{agentFile/{checks/agentFaults,readers},network/replyTime}.test.ts',
	'test/unit/{base/threads/threadPool,cli/reports/junitReport,dify/roundTrip,runs/request/entryMasker}.test.ts',
	'test/unit/engine/agentFile/samples.test.ts',
	'test/unit/scripts/attackTable.test.ts',
];
