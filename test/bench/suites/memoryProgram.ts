// Runs a dataset on a service and prints the peak memory of its process in MB: node memoryProgram.ts URL ROWS
import { cleanUpGateways } from '../../contract/gateway/gatewayProcess.ts';
import { createBenchRuns } from './benchSuite.ts';

const [url = '', rows = ''] = process.argv.slice(2);
const runs = createBenchRuns(url, 'key');
await runs.runSuite(Number(rows), 8);
await runs.close();
await cleanUpGateways();
console.log(JSON.stringify({ mb: process.resourceUsage().maxRSS / 1024 }));
