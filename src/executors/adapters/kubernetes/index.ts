export { kubernetesExecutor as default } from './kubernetes.ts';
