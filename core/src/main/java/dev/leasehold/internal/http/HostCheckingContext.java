package dev.leasehold.internal.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** Makes sockets that require a certificate for the host that was called. A client library may forget to ask for that. */
final class HostCheckingContext extends SSLContext {
    HostCheckingContext(SSLContext context) {
        super(new Spi(context), context.getProvider(), context.getProtocol());
    }

    private static final class Spi extends SSLContextSpi {
        private final SSLContext context;

        Spi(SSLContext context) {
            this.context = context;
        }

        @Override
        protected void engineInit(
                KeyManager @Nullable [] keys, TrustManager @Nullable [] trusted, @Nullable SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("this context is ready");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return new Sockets(context.getSocketFactory());
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return context.getServerSocketFactory();
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            throw new UnsupportedOperationException("only for sockets");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            throw new UnsupportedOperationException("only for sockets");
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return context.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return context.getClientSessionContext();
        }
    }

    private static final class Sockets extends SSLSocketFactory {
        private final SSLSocketFactory factory;

        Sockets(SSLSocketFactory factory) {
            this.factory = factory;
        }

        private static Socket checking(Socket socket) {
            SSLSocket checked = (SSLSocket) socket;
            SSLParameters parameters = checked.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            checked.setSSLParameters(parameters);
            return checked;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
            return checking(factory.createSocket(socket, host, port, autoClose));
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return checking(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
            return checking(factory.createSocket(host, port, from, fromPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return checking(factory.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
            return checking(factory.createSocket(host, port, from, fromPort));
        }
    }
}
