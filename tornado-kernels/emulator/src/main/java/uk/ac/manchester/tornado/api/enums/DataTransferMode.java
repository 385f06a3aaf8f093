package uk.ac.manchester.tornado.api.enums;

/** When arrays move between host and device. */
public class DataTransferMode {
    /** To the device, at the first execution of the graph only. */
    public static final int FIRST_EXECUTION = 0;
    /** At each execution of the graph. */
    public static final int EVERY_EXECUTION = 1;
    /** To the device: memory is allocated and nothing is copied. To the host: when the result is asked. */
    public static final int UNDER_DEMAND = 2;

    private DataTransferMode() {}
}
